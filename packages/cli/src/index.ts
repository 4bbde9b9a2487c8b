/** The command `portico` as a function. */
export { EXIT } from './command.ts'
export { run } from './main.ts'
