import { accentOn } from './accent.ts'

const lightCard = '#ffffff'
const darkCard = '#181e28'
const lightAccent = { color: '#2952cc', text: '#ffffff' }
const darkAccent = { color: '#8fadff', text: '#0f131a' }

/** The stylesheet of every page, in light and dark. It matches the pages that end a terminal login. */
export function styleFor(color: string | undefined): string {
  const light = color === undefined ? lightAccent : accentOn(color, lightCard)
  const dark = color === undefined ? darkAccent : accentOn(color, darkCard)
  return `
:root {
  color-scheme: light dark;
  --ground: #f4f6f9; --card: ${lightCard}; --ink: #1a2130; --soft: #566073; --line: #d5dae3; --note: #eff2f8;
  --strong: ${light.color}; --on-strong: ${light.text}; --shadow: 0 1px 2px rgb(26 33 48 / .06), 0 12px 32px rgb(26 33 48 / .07);
}
.good { --mark: #17803d; --mark-ground: #e5f5eb }
.bad { --mark: #c02626; --mark-ground: #fdecec }
.quiet { --mark: #8a6100; --mark-ground: #fbf2dd }
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f131a; --card: ${darkCard}; --ink: #eef1f6; --soft: #a5afc0; --line: #3a4558; --note: #222b3a;
    --strong: ${dark.color}; --on-strong: ${dark.text}; --shadow: none;
  }
  .good { --mark: #4ccb7c; --mark-ground: #16301f }
  .bad { --mark: #ff8080; --mark-ground: #3a1d20 }
  .quiet { --mark: #e0b04c; --mark-ground: #352b16 }
}
* { box-sizing: border-box }
body {
  margin: 0; padding: 1.5rem 1.25rem; min-height: 100vh; min-height: 100dvh;
  display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 1.5rem;
  background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
.brand { display: flex; align-items: center; gap: .625rem; max-width: 27rem; font-size: 1.125rem; font-weight: 600 }
.brand img { width: 2rem; height: 2rem; object-fit: contain; flex: none }
main {
  width: 100%; max-width: 27rem; padding: 2rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--shadow);
}
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.3; font-weight: 650; text-align: center; text-wrap: balance }
h2 { margin: 1.5rem 0 .5rem; font-size: .9375rem; font-weight: 600 }
p { margin: 0; color: var(--soft) }
.lead { text-align: center; text-wrap: pretty }
strong { color: var(--ink); font-weight: 600 }
a { color: var(--strong); text-underline-offset: .15em }
ul { margin: 1.5rem 0 0; padding: 0; list-style: none }
img, svg { display: block }
.outline { fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round }
.mark {
  display: grid; place-items: center; width: 3rem; height: 3rem; margin: 0 auto 1rem; border-radius: 50%;
  color: var(--mark); background: var(--mark-ground);
}
.mark .outline { width: 2rem; height: 2rem; stroke-width: 2 }
.pair { display: flex; align-items: center; justify-content: center; gap: .75rem; margin-bottom: 1.25rem }
.pair::before { content: ""; order: 1; width: 1.75rem; border-top: 3px dotted var(--line) }
.tile {
  display: grid; place-items: center; width: 3.25rem; height: 3.25rem; border: 1px solid var(--line); border-radius: .875rem;
  font-size: 1.375rem; font-weight: 600; color: var(--soft);
}
.tile:last-child { order: 2 }
.tile img, .tile svg, .tile .icon { width: 1.75rem; height: 1.75rem }
.icon { width: 1.25rem; height: 1.25rem; flex: none; object-fit: contain }
.button {
  display: flex; align-items: center; justify-content: center; gap: .5rem; width: 100%; min-height: 2.875rem; padding: .5rem .875rem;
  font: inherit; font-weight: 600; text-align: center; text-wrap: balance; text-decoration: none; color: inherit; background: none;
  border: 1px solid var(--line); border-radius: .625rem; cursor: pointer;
}
.button:hover { border-color: var(--strong) }
.button:focus-visible, a:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px }
.primary { color: var(--on-strong); background: var(--strong); border-color: var(--strong) }
.primary:hover { opacity: .92 }
.ways { display: grid; gap: .75rem }
.ways .button::after { content: ""; width: 1.25rem; flex: none }
.ways .button > :nth-child(2) { flex: 1 }
main > .button, main > form { margin-top: 1.5rem }
main > form + .button { margin-top: .75rem }
.choice { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem }
.list { margin: 1.5rem 0 0; border: 1px solid var(--line); border-radius: .75rem }
h2 + .list { margin-top: 0 }
.list li { display: flex; align-items: center; gap: .75rem; padding: .75rem 1rem; border-top: 1px solid var(--line) }
.list li:first-child { border-top: 0 }
.list .outline { width: 1.25rem; height: 1.25rem; flex: none }
.scopes .outline { color: var(--strong); stroke-width: 2.25 }
.list > li > .icon { align-self: flex-start; margin-top: .125rem }
.about { flex: 1; min-width: 0 }
.about p { font-size: .875rem }
.slim { width: auto; min-height: 2.75rem; padding: .25rem .75rem; font-size: .875rem }
.note { margin-top: 1.25rem; padding: .75rem 1rem; background: var(--note); border-radius: .625rem; color: var(--ink); font-size: .9375rem }
.hint { margin-top: .75rem; font-size: .9375rem }
.who { margin-top: 1.25rem; font-size: .875rem; text-align: center; text-wrap: balance }
.by { display: inline-flex; align-items: center; gap: .25rem; vertical-align: bottom; white-space: nowrap }
.by .icon { width: 1rem; height: 1rem }
footer { display: flex; flex-wrap: wrap; justify-content: center; gap: .25rem 1.25rem; font-size: .875rem }
footer a { color: var(--soft); padding: .375rem 0 }
@media (max-width: 29rem) {
  body { padding: 1.5rem 0 1rem; justify-content: flex-start; background: var(--card) }
  .brand { padding: 0 1.25rem }
  main { max-width: none; padding: .5rem 1.25rem; border: 0; border-radius: 0; box-shadow: none }
  .ways .button { padding: .5rem .75rem; font-size: .9375rem }
  .ways .button::after { content: none }
  footer { margin-top: auto; padding: 0 1.25rem }
}
@media (forced-colors: active) { .button { border-color: ButtonBorder } }
`
    .replace(/\n\s*/g, ' ')
    .trim()
}
