export type { AuthorizeErrorCode } from './errors.ts'
export { AuthorizeError } from './errors.ts'
