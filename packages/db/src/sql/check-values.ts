import { DbError } from '../errors.ts'

/** Drivers write values only when they have begun to send: one that cannot be written would leave the connection hanging. */
export function checkValues(values: readonly unknown[]): void {
  for (const [index, value] of values.entries()) {
    try {
      checkWritable(value)
    } catch (cause) {
      throw new DbError('QUERY_FAILED', `value ${index + 1} cannot be written: ${(cause as Error).message}`, { cause })
    }
  }
}

function checkWritable(value: unknown): void {
  if (Array.isArray(value)) for (const item of value as unknown[]) checkWritable(item)
  else if (typeof value === 'object' && !ArrayBuffer.isView(value)) JSON.stringify(value)
}
