import type { HttpReply, Problem } from '@portico/http'
import { html } from '../shared/html.ts'
import { showCommand } from './command.ts'
import { answerPage, type Viewer } from './layout.ts'

/** The page for people who are not signed in. */
export function answerWelcome(address: string): HttpReply {
  return answerPage({
    title: 'Welcome',
    body: html`<div class="hello">
<h1>One set of tasks, for people and programs</h1>
<p class="lead">A task tracker whose tables, API, docs and sign-in come from one declaration. Use it here, from a terminal, or over HTTP.</p>
<div class="actions"><a class="button primary" href="/auth/sign-in?return_to=/">Sign in</a>
<a class="button" href="/api-docs">API docs</a></div>
<ul class="rows">
<li><div class="what"><strong>In the browser</strong><p>Sign in with one click. The people are made up; the OpenID providers are real.</p></div></li>
<li><div class="what"><strong>In a terminal</strong>${showCommand(`npx portico login ${address} --scope tasks`)}</div></li>
<li><div class="what"><strong>Over HTTP</strong>${showCommand(`npx portico whoami --header | curl -H @- '${address}/tasks/query?state=open'`)}</div></li>
</ul>
</div>`,
  })
}

/** Shows a problem as a page. */
export function answerRefusal({ status, detail }: Pick<Problem, 'status' | 'detail'>, viewer?: Viewer): HttpReply {
  const title = status >= 500 ? 'Something went wrong' : status === 404 ? 'Page not found' : 'That did not work'
  return answerPage({
    title,
    viewer,
    status,
    body: html`<div class="hello"><h1>${title}</h1>
<p class="lead">${status >= 500 ? 'It is not your fault. Try again in a moment.' : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`}</p>
<div class="actions"><a class="button" href="/">Back to the tasks</a></div></div>`,
  })
}
