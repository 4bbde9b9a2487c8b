/** Somebody to sign in as. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
}

export const people: readonly Person[] = [
  { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' },
  { id: 'grace', name: 'Grace Hopper', email: 'grace@example.com' },
  { id: 'alan', name: 'Alan Turing', email: 'alan@example.com' },
]
