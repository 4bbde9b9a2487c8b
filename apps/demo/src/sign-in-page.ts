import type { Accounts } from './people.ts'
import { html, Markup } from './shared/html.ts'

const style = `
:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--ink:#1a2130;--soft:#566073;--line:#d5dae3;--strong:#2952cc}
@media(prefers-color-scheme:dark){:root{--ground:#0f131a;--card:#181e28;--ink:#eef1f6;--soft:#a5afc0;--line:#323c4d;--strong:#8fadff}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:1rem}
h1{margin:0 0 .25rem;font-size:1.5rem}
p{margin:0 0 1.5rem;color:var(--soft)}
button{display:block;width:100%;margin-top:.75rem;padding:.75rem 1rem;font:inherit;text-align:left;color:inherit;background:none;border:1px solid var(--line);border-radius:.625rem;cursor:pointer}
button:hover,button:focus-visible{border-color:var(--strong);outline:2px solid var(--strong);outline-offset:1px}
small{display:block;color:var(--soft)}
.decline{text-align:center;border-color:transparent;color:var(--soft)}
@media(max-width:26rem){body{padding:0;place-items:stretch}main{border:0;border-radius:0;padding:2rem 1.25rem}}`

/** The page of a local provider: a button for each person, and one to decline. */
export function renderSignInPage({ label, people }: Accounts): string {
  return renderPage(
    `Sign in with ${label}`,
    html`<p>This provider runs on your own machine. Choose who to sign in as.</p>
<form method="post">
${people.map(
  ({ id, name, email }) => html`<button name="person" value="${id}">${name}<small>${email}</small></button>
`,
)}
<button class="decline" name="person" value="">Decline</button>
</form>`,
  )
}

/** The page for a sign-in that the provider does not know, such as one from before a restart. */
export function renderLostPage(): string {
  return renderPage(
    'This sign-in has expired',
    html`<p>It took too long, or the app was restarted in the meantime. Go back to the app and sign in again.</p>`,
  )
}

function renderPage(title: string, body: Markup): string {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>${new Markup(style)}</style>
<main>
<h1>${title}</h1>
${body}
</main>
</html>
`.text
}
