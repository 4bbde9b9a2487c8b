import type { HttpReply, Problem } from '@portico/http'
import { html } from '../shared/html.ts'
import { answerPage, type Viewer } from './layout.ts'

/** What a first visit sees. */
export function answerWelcome(address: string): HttpReply {
  return answerPage({
    title: 'Welcome',
    body: html`<div class="hello">
<h1>What there is to do, in one place</h1>
<p class="lead">Projects and their tasks, for everybody who is signed in: from this page, from a terminal, and over an API that describes itself.</p>
<a class="button primary" href="/auth/sign-in?return_to=/">Sign in</a>
<a class="button" href="/api-docs">Look at the API</a>
<ul class="rows">
<li><div class="what"><strong>In the browser</strong><p>Sign in with one click: the people here are made up, the sign-in is not.</p></div></li>
<li><div class="what"><strong>In a terminal</strong><p><code>npx portico login ${address} --scope tasks</code></p></div></li>
<li><div class="what"><strong>Over HTTP</strong><p><code>${address}/tasks/query?state=open</code> with a token</p></div></li>
</ul>
</div>`,
  })
}

/** Says in people's words what a problem says in a program's. */
export function answerRefusal({ status, detail }: Pick<Problem, 'status' | 'detail'>, viewer?: Viewer): HttpReply {
  const title = status >= 500 ? 'Something went wrong' : status === 404 ? 'There is nothing here' : 'That did not work'
  return answerPage({
    title,
    viewer,
    status,
    body: html`<div class="hello"><h1>${title}</h1>
<p class="lead">${status >= 500 ? 'It is not your fault. Try again in a moment.' : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`}</p>
<a class="button" href="/">To the tasks</a></div>`,
  })
}
