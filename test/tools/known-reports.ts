import type { Finding } from './run-schemathesis.ts'

/** Reports of Schemathesis that are not bugs. Any other finding fails the tests. */
export interface KnownReport {
  readonly name: string
  readonly reason: string
  readonly code: string
  readonly operation?: RegExp
  readonly message?: RegExp
  readonly request?: RegExp
  readonly answer?: RegExp
  readonly when?: (finding: Finding) => boolean
}

const knownReports: readonly KnownReport[] = [
  {
    name: 'whole number with a fraction',
    reason: 'The tool writes some whole numbers as `1449.0`, which is one in JSON but not in a path or a query.',
    code: 'ST202',
    request: /[=/]-?\d+\.0\b/,
    answer: /expected a whole number|must be integer/,
  },
  {
    name: 'made-up cursor',
    reason: '`$after` takes what a `Link` header said and excludes `$sort` and `$offset`, which no schema can say.',
    code: 'ST202',
    operation: /^GET \/[\w-]+\/query$/,
    request: /[?&]%24after=/,
    answer: /"path":\["\$after"\]/,
  },
  {
    name: 'field twice in $sort',
    reason: 'A pattern without look-ahead, which not every language has, cannot forbid that a name comes twice.',
    code: 'ST202',
    operation: /^GET \/[\w-]+\/query$/,
    request: /[?&]%24sort=/,
    answer: /is named twice/,
  },
  {
    name: 'unknown header or cookie',
    reason: 'Headers and cookies that a server does not know are ignored (RFC 9110 §5.1); browsers send their own.',
    code: 'ST201',
    message: /in (?:cookie|header) - object with unexpected properties/,
  },
  {
    name: 'field that the scope fills in',
    reason: 'A scope fills in what an insert leaves out. Which fields these are is known for each request alone.',
    code: 'ST201',
    operation: /^POST \/(?:notes|stars)$/,
    answer: /^201 /,
    when: ({ message, request }) =>
      /Missing required property: (?:owner|userId)|violates `required` at \S*\/(?:owner|userId)/.test(message) ||
      (message.includes('positive test case') && !/"(?:owner|userId)"/.test(request)),
  },
  {
    name: 'token sent twice',
    reason: 'The tool sends the token in the header with every request; RFC 6750 §2 forbids a second one in the form.',
    code: 'ST202',
    operation: /^POST \/auth\/userinfo$/,
    request: /[ &]access_token=/,
    answer: /^400 .*the token is sent twice/,
  },
  {
    name: 'record deleted at its other address',
    reason: 'The tool does not see that `DELETE /notes/40` and `PUT /notes?id=40` are about one record.',
    code: 'ST302',
    answer: /RECORD_NOT_FOUND/,
    when: ({ request, earlier }) => {
      const id = /[?&]id=([^&\s]+)|\/([^/?\s]+)(?:\s|$)/.exec(request)?.slice(1).find(Boolean)
      return earlier.some((it) => it.startsWith('DELETE ') && it.endsWith(`${id} 204`))
    },
  },
]

/** The entry that a finding falls under. */
export function findKnown(finding: Finding): KnownReport | undefined {
  return knownReports.find(
    ({ code, operation, message, request, answer, when }) =>
      code === finding.code &&
      fits(operation, finding.operation) &&
      fits(message, finding.message) &&
      fits(request, finding.request) &&
      fits(answer, finding.answer) &&
      (when?.(finding) ?? true),
  )
}

function fits(pattern: RegExp | undefined, text: string): boolean {
  return pattern === undefined || pattern.test(text)
}
