const longestBody = 1024 * 1024

/** A whole answer: its status, and its body as text. */
export interface Answer {
  readonly status: number
  readonly text: string
}

/** Asks with the global `fetch`: no redirect is followed and at most 1 MiB is read, whatever the server sends. */
export async function requestText(url: URL, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  return { status: response.status, text: await readText(response) }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  // Leaving the loop early cancels the body, which frees its connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > longestBody) throw new Error('the answer is larger than 1 MiB')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The object in a JSON text, or `undefined` where there is none. The parser's own error is dropped: it quotes the text, and that may be a token. */
export function readJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
