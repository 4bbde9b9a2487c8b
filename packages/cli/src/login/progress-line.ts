/** Where a progress line is drawn. */
export interface ProgressOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/**
 * Shows on the last line of a terminal how long is left, once a second, until the function it returns is called. Where
 * there is no terminal nothing is drawn.
 */
export function showCountdown(told: string, timeoutMs: number, output: ProgressOutput): () => void {
  if (!output.isTTY) return () => {}
  const end = Date.now() + timeoutMs
  const draw = (): void => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    output.write(`\r\u001b[K${told} ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`)
  }
  draw()
  const timer = setInterval(draw, 1000)
  return () => {
    clearInterval(timer)
    output.write('\r\u001b[K')
  }
}
