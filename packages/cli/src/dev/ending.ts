// How the program of `portico dev` ends: what the command and the module that it loads into the program agree on.

/** How long a program may take to end when it is asked to, before it is made to. */
export const patienceMs = 5_000

/** Names the pipe between the two to the program. */
export const pipeVariable = 'PORTICO_DEV_PIPE'

/** Sends a signal to a process and to those that it started; on Windows, which has no groups, to itself alone. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // It is gone already.
  }
}
