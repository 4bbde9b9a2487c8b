export {
  type AdapterSuiteOptions,
  adapterCases,
  suiteTables,
  type TestFunction,
  type TestRunner,
  testAdapter,
} from './adapter-suite.ts'
export {
  Group,
  type GroupInsert,
  Membership,
  type MembershipInsert,
  Person,
  type PersonInsert,
  type PersonReplace,
  Team,
  type TeamInsert,
  Thing,
  type ThingInsert,
  type ThingUpdate,
} from './suite.portico.ts'
export type { AdapterCase, CaseContext } from './suite-case.ts'
