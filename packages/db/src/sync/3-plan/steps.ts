/** The steps of a plan, as people, tools and the reference see them. */
import type { RowQuery } from '../../contract/row-query.ts'

/** What a step does to what is stored. */
export type StepClass = 'additive' | 'rename' | 'widening' | 'data' | 'destructive'

/** Each class, with what it means and whether it needs consent. */
export const stepClasses: Readonly<Record<StepClass, { readonly told: string; readonly needsConsent: boolean }>> = {
  additive: { told: 'adds what was not there, and touches no value', needsConsent: false },
  rename: { told: 'gives something another name, and touches no value', needsConsent: false },
  widening: { told: 'allows more than before, and keeps every value as it is', needsConsent: false },
  data: { told: 'writes values in another form, and loses none', needsConsent: true },
  destructive: { told: 'loses values, or the room for some', needsConsent: true },
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
  | 'requireInside'
  | 'makeObject'
  | 'relaxColumn'
  | 'changeDefault'
  | 'changeCounting'
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
  readonly told: string
  /** The words that allow it, where it needs any. */
  readonly consent?: string
}

/** Every kind of step, as the reference lists it. */
export const stepKinds: Readonly<Record<StepKind, StepSpec>> = {
  createSchema: { classes: ['additive'], told: 'makes a schema that a table stands in' },
  createTable: {
    classes: ['additive', 'destructive'],
    told: 'makes a table',
    consent: 'create users (where its interface was another table, which has rows)',
  },
  renameTable: {
    classes: ['rename'],
    told: 'gives a table the declared name, or moves it to the declared schema',
    consent: 'move auth.users (to another schema)',
  },
  adoptTable: {
    classes: ['data'],
    told: 'takes over a table that sync did not make',
    consent: 'adopt users',
  },
  dropTable: {
    classes: ['destructive'],
    told: 'drops a table that sync made and nothing declares any more; planned only when it is allowed',
    consent: 'drop users',
  },
  addColumn: {
    classes: ['additive'],
    told: 'adds a column; rows that are there get its default, the time, a uuid each, or NULL; in an optional object only where that is there',
    consent: 'add users.name (where another column with values of its type is no longer declared)',
  },
  renameColumn: { classes: ['rename'], told: 'gives a column the declared name' },
  changeType: {
    classes: ['widening', 'data', 'destructive'],
    told: 'changes what a column holds; every value must fit exactly, or the sync is refused',
    consent: 'convert users.age (data), narrow users.age (destructive)',
  },
  requireColumn: {
    classes: ['additive', 'destructive'],
    told: 'forbids NULL; where there are NULLs, they become the declared default',
    consent: 'require users.email (where there are NULLs)',
  },
  requireInside: {
    classes: ['destructive', 'additive'],
    told: 'puts the declared default in the place of NULL, in a column that has become required in its object, where that is there',
    consent: 'require users.address__city',
  },
  makeObject: {
    classes: ['data'],
    told: 'an object that was optional is in every record from now on, without a value',
    consent: 'convert users.address',
  },
  relaxColumn: { classes: ['widening'], told: 'allows NULL' },
  changeDefault: { classes: ['widening'], told: 'changes the default of inserts to come' },
  changeCounting: { classes: ['widening'], told: 'lets the engine count a column, or no more' },
  dropColumn: {
    classes: ['destructive'],
    told: 'drops a column that sync made and nothing declares any more; planned when it is allowed, or when no record could be stored without it',
    consent: 'drop users.bio',
  },
  changeKey: { classes: ['data'], told: 'makes other columns the primary key', consent: 'rekey users' },
  createIndex: { classes: ['additive'], told: 'makes an index; a unique one needs rows without duplicates' },
  renameIndex: { classes: ['rename'], told: 'gives an index the name that follows from its table' },
  dropIndex: {
    classes: ['widening'],
    told: 'drops an index that is replaced, goes with its column, or that `drop <index>` names',
  },
  addForeignKey: { classes: ['additive'], told: 'adds a foreign key; every row must refer to one that is there' },
  renameForeignKey: { classes: ['rename'], told: 'gives a foreign key the name that follows from its table' },
  dropForeignKey: {
    classes: ['widening'],
    told: 'drops a foreign key that is replaced, goes with what it needs, or that `drop <name>` names',
  },
}

/** What a step will touch. */
export interface Touches {
  /** Rows of the table. */
  readonly rows?: number
  /** Values that would be lost. */
  readonly values?: number
  readonly nulls?: number
  readonly duplicates?: number
  /** Rows that are copied, since this engine makes the table anew. */
  readonly rebuild?: number
}

/** What has to hold before a step: a question whose answer must be 0. */
export interface Precheck {
  readonly kind: RowQuery['kind']
  readonly found: number
  readonly holds: boolean
}

/** What holds after a step: what the database then has, or has no more. */
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
  /** The table as it was declared: `users`, `auth.users`. */
  readonly table: string
  /** What it is done to: `users`, `users.bio`, `users__email`. */
  readonly name: string
  /** In words. */
  readonly told: string
  /** What `allow` has to hold for it, where it needs consent. */
  readonly consent?: string
  readonly isAllowed: boolean
  readonly hint?: string
  /** Set where the step looks like one half of a renaming that nobody declared. */
  readonly suspected?: 'rename'
  /** What it was before, by that suspicion: `users.bio`, `users`. */
  readonly former?: string
  readonly touches: Touches
  readonly precheck: readonly Precheck[]
  readonly postcheck: Postcheck
}
