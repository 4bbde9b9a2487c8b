const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs `work` with a signal that aborts when the user presses Ctrl-C, closes the terminal, or the process is asked to end.
 * None of these ends the process by itself, so that `work` can tidy up.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  for (const name of signals) process.on(name, abort)
  try {
    return await work(stop.signal)
  } finally {
    for (const name of signals) process.off(name, abort)
  }
}
