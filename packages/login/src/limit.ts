import { AuthorizeError } from './errors.ts'

/** How long a step may take, and what cuts it short. */
export interface Limit {
  readonly ms: number
  readonly signal: AbortSignal | undefined
  /** Made when the time is up. */
  readonly expired: () => AuthorizeError
}

/** Runs one step until it settles, its time is up or the caller aborts; leaves neither timer nor listener behind. */
export async function withLimit<T>(limit: Limit, step: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal } = limit
  throwIfAborted(signal)
  const controller = new AbortController()
  let stop: (error: AuthorizeError) => void = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = (error) => {
      reject(error)
      controller.abort(error)
    }
  })
  const onAbort = () => stop(createAbortError(signal))
  const timer = setTimeout(() => stop(limit.expired()), limit.ms)
  try {
    signal?.addEventListener('abort', onAbort, { once: true })
    return await Promise.race([step(controller.signal), stopped])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Between two steps nobody listens to the signal. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw createAbortError(signal)
}

function createAbortError(signal: AbortSignal | undefined): AuthorizeError {
  return new AuthorizeError('timeout', 'the sign-in was aborted', { cause: signal?.reason })
}
