import type { Terminal } from '../terminal.ts'

/**
 * Shows on the last line of a terminal how long is left, once a second, until the function it returns is called. Where
 * no line can be written over, nothing is shown.
 */
export function showCountdown(timeoutMs: number, { rewrite }: Pick<Terminal, 'rewrite'>): () => void {
  if (!rewrite) return () => {}
  const end = Date.now() + timeoutMs
  const draw = (): void => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    rewrite(`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left to sign in; Ctrl-C stops.`)
  }
  draw()
  const timer = setInterval(draw, 1000)
  return () => {
    clearInterval(timer)
    rewrite('')
  }
}
