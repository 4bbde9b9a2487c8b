import type { BrandOptions } from '@portico/auth-server'

/** An outline in a blue that is visible in light and dark. */
function drawOutline(content: string): string {
  const attributes = 'viewBox="0 0 24 24" fill="none" stroke="#5b82f0" stroke-width="2" stroke-linecap="round"'
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`)}`
}

/** The sign-in pages show the same mark as the pages of the app. */
export const brand: BrandOptions = {
  name: 'Task tracker',
  logo: drawOutline('<rect x="3" y="3" width="18" height="18" rx="5"/><path d="m8 12.5 3 3 5.5-6.5"/>'),
}

export const providerIcons: Readonly<Record<string, string>> = {
  home: drawOutline('<path stroke-linejoin="round" d="M4 11.5 12 4l8 7.5V20h-5.5v-5.5h-5V20H4z"/>'),
  work: drawOutline('<rect x="3" y="8" width="18" height="12" rx="2"/><path d="M9 8V5h6v3M3 13.5h18"/>'),
}
