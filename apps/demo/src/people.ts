/** A person to sign in as. */
interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** An OpenID provider that runs beside the app. */
export interface Accounts {
  readonly id: string
  readonly label: string
  readonly people: readonly Person[]
}

const ada = { id: 'ada', name: 'Ada Lovelace', email: 'ada@example.com' }
const grace = { id: 'grace', name: 'Grace Hopper', email: 'grace@example.com' }
const alan = { id: 'alan', name: 'Alan Turing', email: 'alan@example.com' }
const katherine = { id: 'katherine', name: 'Katherine Johnson', email: 'katherine@example.com' }

/** Ada and Grace have both accounts, with one email address: the second sign-in asks them to link the accounts. */
export const accounts: readonly Accounts[] = [
  { id: 'home', label: 'a home account', people: [ada, grace, alan] },
  { id: 'work', label: 'a work account', people: [ada, grace, katherine] },
]
