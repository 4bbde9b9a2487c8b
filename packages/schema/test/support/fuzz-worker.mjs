// Compiles spoiled samples in a thread of its own, so that a run that hangs can be ended from outside.
import { parentPort, workerData } from 'node:worker_threads'
import { compile, format } from '@portico/schema'

const { progress } = workerData
const counter = new Int32Array(progress)

parentPort.on('message', ({ start, inputs }) => {
  for (const [offset, text] of inputs.entries()) {
    Atomics.store(counter, 0, start + offset)
    try {
      const { diagnostics, modules, failed } = compile([{ path: 'schema.portico', text }])
      const answered = failed ? diagnostics.length > 0 && modules.length === 0 : modules.length === 1
      if (!answered) throw new Error('neither a diagnostic nor output')
      format(text)
    } catch (error) {
      parentPort.postMessage({ failure: start + offset, text, message: String(error?.stack ?? error) })
      return
    }
  }
  parentPort.postMessage({ done: start + inputs.length })
})
