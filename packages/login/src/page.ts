/** The outcome that the browser shows. */
export type Page = 'signed-in' | 'declined' | 'refused' | 'unavailable' | 'failed'

interface Content {
  readonly title: string
  readonly text: string
  /** An exclamation mark by default. */
  readonly mark?: string
}

const exclamationMark = '<path d="M12 7v6m0 3.5v.01"/>'

const contents: Record<Page, Content> = {
  'signed-in': {
    title: 'You are signed in',
    text: 'You can close this window and go back to your terminal.',
    mark: '<path d="m7 12.5 3.5 3.5L17 9"/>',
  },
  declined: {
    title: 'The sign-in was declined',
    text: 'Nothing was shared. To sign in after all, run the command in your terminal again.',
    mark: '<path d="M7.5 12h9"/>',
  },
  refused: {
    title: 'The sign-in was refused',
    text: 'The service did not accept what the program asked for. Your terminal says why; report it to the makers of the program.',
  },
  unavailable: {
    title: 'The service cannot sign you in now',
    text: 'Nothing was shared. Wait a moment, then run the command in your terminal again.',
  },
  failed: {
    title: 'The sign-in failed',
    text: 'Your terminal says why. Run the command there again. If it keeps failing, contact the service.',
  },
}

const style = `
:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--ink:#1a2130;--soft:#566073;--line:#e3e6ec;--mark:#17803d}
.declined,.unavailable{--mark:#8a6100}.failed,.refused{--mark:#c02626}
@media(prefers-color-scheme:dark){:root{--ground:#0f131a;--card:#181e28;--ink:#eef1f6;--soft:#a5afc0;--line:#2a3240;--mark:#4ccb7c}
.declined,.unavailable{--mark:#e0b04c}.failed,.refused{--mark:#ff8080}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1.5rem;background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif}
main{max-width:26rem;padding:2.5rem 2rem;text-align:center;background:var(--card);border:1px solid var(--line);border-radius:1rem}
svg{width:3.5rem;height:3.5rem;fill:none;stroke:var(--mark);stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
h1{margin:1rem 0 .5rem;font-size:1.5rem;line-height:1.25;text-wrap:balance}
p{margin:0;color:var(--soft);text-wrap:balance}`

/** The page consists of constants: it contains nothing of the request. */
export function renderPage(page: Page): string {
  const { title, text, mark = exclamationMark } = contents[page]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>${style}</style>
<body class="${page}">
<main><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"/>${mark}</svg>
<h1>${title}</h1><p>${text}</p></main>
</html>
`
}
