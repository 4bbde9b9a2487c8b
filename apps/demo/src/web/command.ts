import { html, type Markup } from '../shared/html.ts'

/** A command for the terminal, with a button that copies it. */
export function showCommand(command: string): Markup {
  return html`<div class="command"><code>${command}</code><button class="button slim" type="button" data-copy="${command}" hidden>Copy</button></div>`
}
