import { Person } from './suite.portico.ts'
import type { CaseContext } from './suite-case.ts'

/** Names whose order and case engines tend to disagree about. */
export const names: readonly string[] = ['a', 'B', 'c', 'é', 'z', 'Z%', 'z_y', 'K', '[x]*?', 'back\\slash', '🙂', 'ü']

/** Every third person has no age. */
export async function fillPeople({ db }: CaseContext): Promise<void> {
  await db.table(Person).insertMany(names.map((name, index) => ({ name, ...(index % 3 !== 0 && { age: index }) })))
}

/** Compares by code point, as every engine has to. */
export function comparePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
