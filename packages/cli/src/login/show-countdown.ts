import type { Terminal } from '../terminal.ts'

/**
 * Shows the remaining time on the last line of the terminal until the returned function is called. Shows nothing if the
 * terminal cannot overwrite lines.
 */
export function showCountdown(timeoutMs: number, { rewrite }: Pick<Terminal, 'rewrite'>): () => void {
  if (!rewrite) return () => {}
  const end = Date.now() + timeoutMs
  const draw = (): void => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    rewrite(`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left to sign in; press Ctrl-C to cancel.`)
  }
  draw()
  const timer = setInterval(draw, 1000)
  return () => {
    clearInterval(timer)
    rewrite('')
  }
}
