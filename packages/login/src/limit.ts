import { AuthorizeError } from './errors.ts'

export interface Limit {
  readonly ms: number
  readonly signal: AbortSignal | null | undefined
  /** Creates the error when the time is up. */
  readonly expired: () => AuthorizeError
}

/** Runs a step until it settles, its time is up or the caller aborts. Leaves no timer or listener behind. */
export async function withLimit<Result>(limit: Limit, step: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
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

/** For the time between two steps, when nothing listens to the signal. */
export function throwIfAborted(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted) throw createAbortError(signal)
}

function createAbortError(signal: AbortSignal | null | undefined): AuthorizeError {
  return new AuthorizeError('timeout', 'the sign-in was aborted', { cause: signal?.reason })
}
