import { html, Markup } from '../shared/html.ts'

/** Marks of well-known providers, by the id that people give them. */
const providerMarks: Readonly<Record<string, string>> = {
  apple:
    '<path fill="currentColor" d="M12.15 6.9c-.95 0-2.42-1.08-3.96-1.04-2.04.03-3.91 1.18-4.96 3.01-2.12 3.68-.55 9.1 1.52 12.09 1.01 1.45 2.2 3.09 3.79 3.04 1.52-.07 2.09-.99 3.93-.99 1.83 0 2.35.99 3.96.95 1.64-.03 2.68-1.48 3.68-2.95 1.16-1.69 1.64-3.32 1.66-3.42-.04-.01-3.18-1.22-3.22-4.86-.03-3.04 2.48-4.49 2.6-4.56-1.43-2.09-3.62-2.32-4.39-2.38-2-.16-3.68 1.09-4.61 1.09zM15.53 3.83c.84-1.01 1.4-2.43 1.25-3.83-1.21.05-2.66.8-3.53 1.82-.78.9-1.46 2.34-1.28 3.71 1.34.1 2.72-.69 3.56-1.7"/>',
  github:
    '<path fill="currentColor" d="M12 .3a12 12 0 0 0-3.8 23.38c.6.12.82-.25.82-.57v-2.04c-3.34.72-4.04-1.61-4.04-1.61-.55-1.39-1.34-1.76-1.34-1.76-1.08-.74.09-.73.09-.73 1.2.09 1.83 1.24 1.83 1.24 1.07 1.83 2.81 1.3 3.5 1 .1-.78.41-1.31.76-1.61-2.67-.3-5.47-1.33-5.47-5.93 0-1.31.47-2.38 1.24-3.22-.14-.3-.54-1.52.1-3.18 0 0 1.01-.32 3.3 1.23a11.5 11.5 0 0 1 6 0c2.28-1.55 3.29-1.23 3.29-1.23.64 1.66.24 2.88.12 3.18a4.65 4.65 0 0 1 1.23 3.22c0 4.61-2.81 5.62-5.48 5.92.43.36.81 1.1.81 2.22v3.29c0 .32.22.69.83.57A12 12 0 0 0 12 .3"/>',
  gitlab:
    '<path fill="#fc6d26" d="m23.6 9.59-.03-.08L20.3.98a.85.85 0 0 0-.34-.4.87.87 0 0 0-1.29.49l-2.2 6.75H7.53L5.33 1.07a.86.86 0 0 0-.29-.44.87.87 0 0 0-1 -.05.86.86 0 0 0-.34.4L.43 9.5l-.03.09a6.07 6.07 0 0 0 2.01 7.01l.04.03 4.98 3.73 2.46 1.86 1.5 1.13a1 1 0 0 0 1.22 0l1.5-1.13 2.46-1.86 5-3.75.02-.01a6.07 6.07 0 0 0 2.01-7z"/>',
  google:
    '<path fill="#4285f4" d="M22.56 12.25c0-.78-.07-1.53-.2-2.25H12v4.26h5.92a5.06 5.06 0 0 1-2.21 3.31v2.77h3.57a10.8 10.8 0 0 0 3.28-8.09"/><path fill="#34a853" d="M12 23c2.97 0 5.46-.98 7.28-2.66l-3.57-2.77a6.6 6.6 0 0 1-9.87-3.47H2.18v2.84A11 11 0 0 0 12 23"/><path fill="#fbbc05" d="M5.84 14.1a6.6 6.6 0 0 1 0-4.2V7.07H2.18a11 11 0 0 0 0 9.87z"/><path fill="#ea4335" d="M12 5.38c1.62 0 3.06.56 4.21 1.64l3.15-3.15A11 11 0 0 0 2.18 7.07l3.66 2.84A6.6 6.6 0 0 1 12 5.38"/>',
  microsoft:
    '<path fill="#f25022" d="M1 1h10.5v10.5H1z"/><path fill="#7fba00" d="M12.5 1H23v10.5H12.5z"/><path fill="#00a4ef" d="M1 12.5h10.5V23H1z"/><path fill="#ffb900" d="M12.5 12.5H23V23H12.5z"/>',
}

const outlines = {
  key: '<circle cx="7.5" cy="16.5" r="5"/><path d="M11 13 21 3m-4.5 4.5 3.5 3.5m-7-1 2.5 2.5"/>',
  terminal: '<path d="m6 8 4 4-4 4m7 .5h5"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  good: '<path d="m7 12.5 3.5 3.5L17 9"/>',
  quiet: '<path d="M7.5 12h9"/>',
  bad: '<path d="M12 5.5v8m0 4.5v.01"/>',
} as const

export function outline(name: keyof typeof outlines): Markup {
  return new Markup(`<svg class="outline" viewBox="0 0 24 24" aria-hidden="true">${outlines[name]}</svg>`)
}

/** The icon of a provider: the given image, the mark of a well-known provider, or a neutral key. */
export function providerIcon(id: string, image: string | undefined): Markup {
  if (image !== undefined) return html`<img class="icon" src="${image}" alt="">`
  if (!Object.hasOwn(providerMarks, id)) return html`<span class="icon">${outline('key')}</span>`
  return new Markup(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${providerMarks[id]}</svg>`)
}
