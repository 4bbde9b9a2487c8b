/**
 * Runs `work` with a signal that aborts when the user presses Ctrl-C or the process is asked to end. Until then neither
 * ends the process by itself, so that `work` can tidy up.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  process.on('SIGINT', abort).on('SIGTERM', abort)
  try {
    return await work(stop.signal)
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort)
  }
}
