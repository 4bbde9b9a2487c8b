/** Uses results that may be available at once. Always awaiting them would cost a synchronous engine a microtask per call. */
import type { MaybePromise } from '../contract/storage.ts'

/** Passes a result to a function: now if it is available, later if it is a promise. */
export function mapResult<Value, Mapped>(
  result: MaybePromise<Value>,
  map: (value: Value) => MaybePromise<Mapped>,
): MaybePromise<Mapped> {
  return result instanceof Promise ? result.then(map) : map(result)
}

/** Runs a function and passes its error, thrown or rejected, to a handler. */
export function recoverResult<Value>(
  run: () => MaybePromise<Value>,
  recover: (error: unknown) => MaybePromise<Value>,
): MaybePromise<Value> {
  try {
    const result = run()
    return result instanceof Promise ? result.catch(recover) : result
  } catch (error) {
    return recover(error)
  }
}
