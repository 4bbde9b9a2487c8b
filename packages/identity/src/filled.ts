/** The same fields, every one of them there and with a value. */
export type Filled<T> = { [K in keyof T]-?: Exclude<T[K], undefined> }
