import { vi } from 'vitest'

/**
 * Runs `work`, waits until `stalled` resolves, and then advances a fake clock by ten seconds. Only the library's timers are
 * fake: sockets keep working.
 */
export async function withoutWaiting<T>(work: () => Promise<T>, stalled: () => Promise<void>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const result = work()
    result.catch(() => undefined)
    await stalled()
    await vi.advanceTimersByTimeAsync(9_999)
    const early = await Promise.race([result.then(settled, settled), Promise.resolve('waiting')])
    if (early !== 'waiting') throw new Error('ended before the ten seconds were over')
    await vi.advanceTimersByTimeAsync(1)
    return await result
  } finally {
    vi.useRealTimers()
  }
}

function settled(): string {
  return 'settled'
}
