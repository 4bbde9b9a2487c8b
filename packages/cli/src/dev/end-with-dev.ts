// Loaded into the program that `portico dev` runs, before the program itself. However `portico dev` ends, also where it is
// killed outright, the pipe between the two is closed: then the program ends, with all that it started.
import { Socket } from 'node:net'
import { killGroup, patienceMs, pipeVariable } from './ending.ts'

const pipe = process.env[pipeVariable]
// What the program starts may get this module as well, but has no pipe.
delete process.env[pipeVariable]
if (pipe !== undefined) new Socket({ fd: Number(pipe) }).once('close', end).resume().unref()

function end(): void {
  process.once('exit', () => killGroup(process.pid, 'SIGKILL'))
  setTimeout(() => killGroup(process.pid, 'SIGKILL'), patienceMs).unref()
  // A program that does not listen would be gone before it could take along what does.
  killGroup(process.pid, process.listenerCount('SIGTERM') > 0 ? 'SIGTERM' : 'SIGKILL')
}
