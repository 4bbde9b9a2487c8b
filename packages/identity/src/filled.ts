/** The same fields, all required and defined. */
export type Filled<Fields> = { [Name in keyof Fields]-?: Exclude<Fields[Name], undefined> }
