/** The steps of a plan. The tables of classes and kinds are also printed in the reference. */
import type { RowQuery } from '../../contract/row-query.ts'

/** The effect of a step on stored data. */
export type StepClass = 'additive' | 'rename' | 'widening' | 'data' | 'destructive'

interface StepClassSpec {
  readonly description: string
  readonly needsConsent: boolean
}

export const stepClasses: Readonly<Record<StepClass, StepClassSpec>> = {
  additive: { description: 'adds something new and changes no values', needsConsent: false },
  rename: { description: 'renames something and changes no values', needsConsent: false },
  widening: { description: 'allows more than before and keeps all values as they are', needsConsent: false },
  data: { description: 'rewrites values without losing any', needsConsent: true },
  destructive: { description: 'loses values, or no longer has room for some', needsConsent: true },
}

export type StepKind =
  | 'createSchema'
  | 'createTable'
  | 'renameTable'
  | 'adoptTable'
  | 'dropTable'
  | 'addColumn'
  | 'renameColumn'
  | 'changeType'
  | 'requireColumn'
  | 'requireInObject'
  | 'requireObject'
  | 'allowNull'
  | 'changeDefault'
  | 'changeAutoIncrement'
  | 'dropColumn'
  | 'changeKey'
  | 'createIndex'
  | 'renameIndex'
  | 'dropIndex'
  | 'addForeignKey'
  | 'renameForeignKey'
  | 'dropForeignKey'

export interface StepSpec {
  readonly classes: readonly StepClass[]
  readonly description: string
  /** An example of the consent, for kinds that can need one. */
  readonly consent?: string
}

/** Every kind of step, as the reference lists it. */
export const stepKinds: Readonly<Record<StepKind, StepSpec>> = {
  createSchema: { classes: ['additive'], description: 'creates the schema of a table' },
  createTable: {
    classes: ['additive', 'destructive'],
    description: 'creates a table',
    consent: 'create users (if the interface had another table before, which has rows)',
  },
  renameTable: {
    classes: ['rename'],
    description: 'gives a table its declared name, or moves it to its declared schema',
    consent: 'move auth.users (to another schema)',
  },
  adoptTable: {
    classes: ['data'],
    description: 'starts to manage a table that sync did not create',
    consent: 'adopt users',
  },
  dropTable: {
    classes: ['destructive'],
    description: 'drops a table that sync created and that is no longer declared; planned only with consent',
    consent: 'drop users',
  },
  addColumn: {
    classes: ['additive'],
    description:
      'adds a column; existing rows get its default, the current time, a UUID each, or NULL; inside an optional object only rows that have the object',
    consent: 'add users.name (if a column of the same type that has values is no longer declared)',
  },
  renameColumn: { classes: ['rename'], description: 'gives a column its declared name' },
  changeType: {
    classes: ['widening', 'data', 'destructive'],
    description: 'changes the type of a column; the sync is refused unless every value fits exactly',
    consent: 'convert users.age (data), narrow users.age (destructive)',
  },
  requireColumn: {
    classes: ['additive', 'destructive'],
    description: 'forbids NULL; existing NULLs become the declared default',
    consent: 'require users.email (if there are NULLs)',
  },
  requireInObject: {
    classes: ['destructive', 'additive'],
    description: 'replaces NULL by the declared default in a column that becomes required inside an optional object',
    consent: 'require users.address__city',
  },
  requireObject: {
    classes: ['data'],
    description: 'makes an optional object required; rows without it get one without values',
    consent: 'convert users.address',
  },
  allowNull: { classes: ['widening'], description: 'allows NULL' },
  changeDefault: { classes: ['widening'], description: 'changes the default of future inserts' },
  changeAutoIncrement: { classes: ['widening'], description: 'adds or removes auto-increment' },
  dropColumn: {
    classes: ['destructive'],
    description:
      'drops a column that sync created and that is no longer declared; planned with consent, or if inserts would fail because the column is required',
    consent: 'drop users.bio',
  },
  changeKey: { classes: ['data'], description: 'changes the primary key', consent: 'rekey users' },
  createIndex: { classes: ['additive'], description: 'creates an index; a unique one needs rows without duplicates' },
  renameIndex: { classes: ['rename'], description: 'renames an index after its table was renamed' },
  dropIndex: {
    classes: ['widening'],
    description: 'drops an index that is replaced, loses its column, or is named by `drop <index>`',
  },
  addForeignKey: { classes: ['additive'], description: 'adds a foreign key; every row must refer to an existing row' },
  renameForeignKey: { classes: ['rename'], description: 'renames a foreign key after its table was renamed' },
  dropForeignKey: {
    classes: ['widening'],
    description: 'drops a foreign key that is replaced, loses a column or its target, or is named by `drop <name>`',
  },
}

/** The data that a step affects. */
export interface Touches {
  /** Rows of the table. */
  readonly rows?: number
  /** Values that would be lost. */
  readonly values?: number
  readonly nulls?: number
  readonly duplicates?: number
  /** Rows that are copied because this engine rebuilds the table. */
  readonly rebuild?: number
}

/** A condition before a step: the number of rows found must be 0. */
export interface Precheck {
  readonly kind: RowQuery['kind']
  readonly found: number
  readonly holds: boolean
}

/** The condition after a step. */
export interface Postcheck {
  readonly table: string
  readonly column?: string
  readonly index?: string
  readonly foreignKey?: string
  readonly is: 'there' | 'gone' | 'as declared'
}

/** One step of a plan. Plain data: as JSON it is the same. */
export interface SyncStep {
  readonly kind: StepKind
  readonly class: StepClass
  /** The declared table: `users`, `auth.users`. */
  readonly table: string
  /** The object that changes: `users`, `users.bio`, `users__email`. */
  readonly name: string
  /** A phrase for people: `drop column users.bio`. */
  readonly description: string
  /** The entry in `allow` that permits the step, if it needs consent. */
  readonly consent?: string
  readonly isAllowed: boolean
  readonly hint?: string
  /** Set if the step may be half of a renaming that was not declared. */
  readonly suspected?: 'rename'
  /** The suspected former name: `users.bio`, `users`. */
  readonly former?: string
  readonly touches: Touches
  readonly precheck: readonly Precheck[]
  readonly postcheck: Postcheck
}
