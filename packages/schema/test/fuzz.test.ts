import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { heavy } from '../../../test/support/heavy.ts'
import { mutate } from './support/mutate.ts'
import { Random } from './support/random.ts'
import { listSamples, readSample } from './support/samples.ts'

const watchdogMs = 10_000
const batch = 250

/** Big samples would make each run slow and add nothing that the small ones do not have. */
const seeds = listSamples()
  .flatMap(readSample)
  .map((it) => it.text)
  .filter((text) => text.length < 3000)

function inputAt(index: number): string {
  const random = new Random(index)
  return mutate(random.pick(seeds), random)
}

describe('fuzzing', () => {
  it(
    'never throws, never hangs, and always ends with a diagnostic or output',
    async () => {
      const count = heavy(100_000)
      const progress = new SharedArrayBuffer(4)
      const worker = new Worker(new URL('support/fuzz-worker.mjs', import.meta.url), { workerData: { progress } })
      try {
        for (let start = 0; start < count; start += batch) {
          const size = Math.min(batch, count - start)
          const inputs = Array.from({ length: size }, (_, offset) => inputAt(start + offset))
          expect(await runBatch(worker, start, inputs, progress)).toEqual({ done: start + size })
        }
      } finally {
        await worker.terminate()
      }
    },
    10 * 60_000,
  )
})

interface Answer {
  readonly done?: number
  readonly failure?: number
  readonly text?: string
  readonly message?: string
}

/** One batch, or what went wrong with which input; a batch that stands still counts as hanging. */
function runBatch(worker: Worker, start: number, inputs: string[], progress: SharedArrayBuffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const counter = new Int32Array(progress)
    let last = -1
    const watchdog = setInterval(() => {
      const at = Atomics.load(counter, 0)
      if (at === last) finish(() => reject(new Error(`input ${at} hangs:\n${inputs[at - start]}`)))
      last = at
    }, watchdogMs)
    const onMessage = (answer: Answer): void => finish(() => resolve(answer))
    const onError = (error: unknown): void => finish(() => reject(error))
    const finish = (settle: () => void): void => {
      clearInterval(watchdog)
      worker.off('message', onMessage)
      worker.off('error', onError)
      settle()
    }
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.postMessage({ start, inputs })
  })
}
