/** One issue of an invalid request. */
export interface ProblemIssue {
  readonly in?: string
  readonly path: readonly (string | number)[]
  readonly code: string
  readonly message: string
}

/**
 * An error response, or a request that got no response.
 *
 * ```ts
 * if (error instanceof ProblemError && error.code === 'VERSION_CONFLICT') await reload()
 * ```
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  /** The status of the response; 0 if there was none. */
  readonly status: number
  /**
   * The problem's code. Without a response: `NETWORK` if the server could not be reached, `TOKEN_UNAVAILABLE` if the
   * `token` option returned none, `REQUEST_INVALID` or `KEY_INCOMPLETE` if the request was invalid and not sent. A response
   * that is not from such a server is `ANSWER_INVALID`.
   */
  readonly code: string
  readonly issues: readonly ProblemIssue[]

  constructor(
    status: number,
    code: string,
    detail: string,
    options: ErrorOptions & { issues?: readonly ProblemIssue[] | undefined } = {},
  ) {
    super(detail, options)
    this.status = status
    this.code = code
    this.issues = options.issues ?? []
  }
}

/** Reads an error response. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const body = await readJson(response)
  if (!isProblem(body)) {
    return new ProblemError(
      response.status,
      'ANSWER_INVALID',
      `the server responded with ${response.status} and without a problem`,
    )
  }
  const { code, detail, issues } = body
  return new ProblemError(response.status, code, detail, {
    issues: Array.isArray(issues) ? (issues as ProblemIssue[]) : undefined,
  })
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

function isProblem(body: unknown): body is { code: string; detail: string; issues?: unknown } {
  if (typeof body !== 'object' || body === null) return false
  const { code, detail } = body as Record<string, unknown>
  return typeof code === 'string' && typeof detail === 'string'
}
