const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs `work` with a signal that aborts on Ctrl-C, when the terminal closes, or when the process is asked to end.
 * None of these ends the process directly, so `work` can clean up.
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
