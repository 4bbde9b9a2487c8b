// Preloaded into the program that `portico dev` runs. When `portico dev` ends, even if it is killed, the pipe between
// them closes. The program then ends, together with all processes it started.
import { Socket } from 'node:net'
import { killGroup, pipeVariable, stopTimeoutMs } from './kill-group.ts'

const pipe = process.env[pipeVariable]
// Child processes of the program may load this module, too, but have no pipe.
delete process.env[pipeVariable]
if (pipe !== undefined) new Socket({ fd: Number(pipe) }).once('close', end).resume().unref()

function end(): void {
  process.once('exit', () => killGroup(process.pid, 'SIGKILL'))
  setTimeout(() => killGroup(process.pid, 'SIGKILL'), stopTimeoutMs).unref()
  // Without a SIGTERM handler the program would die before it could kill its children.
  killGroup(process.pid, process.listenerCount('SIGTERM') > 0 ? 'SIGTERM' : 'SIGKILL')
}
