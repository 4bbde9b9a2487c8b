/** For layers that read queries from text: conditions that are checked once, when they are created. */
export { Condition, type Term } from './condition.ts'
export { operators } from './operators.ts'
