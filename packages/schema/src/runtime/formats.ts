/**
 * The string formats of the language. Each check runs in linear time for any input and agrees with the JSON Schema
 * format of the field.
 */

const atom = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+$/i
const hostLabel = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i

/** An address `local@host`: a dot-atom of RFC 5322 before the `@`, and a host name with at least one dot after it. */
export function isEmail(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const at = value.lastIndexOf('@')
  const labels = value.slice(at + 1).split('.')
  if (at < 1 || labels.length < 2) return false
  return value.slice(0, at).split('.').every(matches(atom)) && labels.every(matches(hostLabel))
}

function matches(pattern: RegExp): (part: string) => boolean {
  return (part) => pattern.test(part)
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A UUID of any version, in the form of RFC 9562. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuid.test(value)
}

const urlCharacters =
  /^https?:\/\/(?![/?#:@])(?:[\w\-.~:@!$&'()*+,;=]|%[0-9a-f]{2}|\[[0-9a-f:.]+\])+(?:\/(?:[\w\-.~:@!$&'()*+,;=/]|%[0-9a-f]{2})*)?(?:\?(?:[\w\-.~:@!$&'()*+,;=/?]|%[0-9a-f]{2})*)?(?:#(?:[\w\-.~:@!$&'()*+,;=/?]|%[0-9a-f]{2})*)?$/i

/** An absolute `http:` or `https:` URL that uses only the characters of RFC 3986. */
export function isUrl(value: unknown): value is string {
  return typeof value === 'string' && urlCharacters.test(value) && URL.canParse(value)
}

const date = /^(\d{4})-(\d{2})-(\d{2})$/
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** An existing calendar date such as `2026-02-28`, as in RFC 3339. */
export function isDate(value: unknown): value is string {
  const parts = typeof value === 'string' ? date.exec(value) : null
  if (!parts) return false
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number]
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const length = month === 2 && isLeap ? 29 : (monthLengths[month - 1] ?? 0)
  return day >= 1 && day <= length
}

const time = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|([+-])(\d{2}):(\d{2}))$/i

/** A date and time with a UTC offset, such as `2026-02-28T12:00:00Z`, as in RFC 3339 §5.6. */
export function isDateTime(value: unknown): value is string {
  if (typeof value !== 'string' || (value[10] !== 'T' && value[10] !== 't')) return false
  const parts = isDate(value.slice(0, 10)) ? time.exec(value.slice(11)) : null
  if (!parts) return false
  const [hour, minute, second] = parts.slice(1, 4).map(Number) as [number, number, number]
  const [offsetHour, offsetMinute] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)]
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false
  return second < 60 || (second === 60 && isLastMinuteOfDay(hour, minute, parts[4], offsetHour, offsetMinute))
}

/** Leap seconds are added at the end of a UTC day. */
function isLastMinuteOfDay(
  hour: number,
  minute: number,
  sign: string | undefined,
  offsetHour: number,
  offsetMinute: number,
): boolean {
  const offset = (offsetHour * 60 + offsetMinute) * (sign === '-' ? -1 : 1)
  const day = 24 * 60
  return (hour * 60 + minute - offset + 2 * day) % day === day - 1
}
