// Shared by `portico dev` and the module that it preloads into the program.

/** The time a program has to end after SIGTERM before it is killed. */
export const stopTimeoutMs = 5_000

/** The environment variable with the file descriptor of the pipe. */
export const pipeVariable = 'PORTICO_DEV_PIPE'

/** Sends a signal to a process and its children. On Windows, which has no process groups, only to the process. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // The process has already ended.
  }
}
