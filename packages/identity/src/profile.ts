/** Text that says something; anything else a provider may send in its place is left out. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A web address fit for an `<img>`; a `javascript:` or `data:` URL in its place is left out. */
export function readWebUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined
  return ['https:', 'http:'].includes(new URL(value).protocol) ? value : undefined
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Drops the fields without a value, so that a profile has only what was said. */
export function onlyDefined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
