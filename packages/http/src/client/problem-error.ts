/** One thing that is wrong with what was sent. */
export interface ProblemIssue {
  readonly in?: string
  readonly path: readonly (string | number)[]
  readonly code: string
  readonly message: string
}

/**
 * An error answer, or none at all.
 *
 * ```ts
 * if (error instanceof ProblemError && error.code === 'VERSION_CONFLICT') await reload()
 * ```
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  /** The status of the answer; 0 when there was none. */
  readonly status: number
  /**
   * The problem's code. Without an answer: `NETWORK` when the server could not be reached, `TOKEN_UNAVAILABLE` when there
   * was no token, `REQUEST_INVALID` or `KEY_INCOMPLETE` when nothing was sent because it made no sense. With an answer
   * that is none of this server: `ANSWER_INVALID`.
   */
  readonly code: string
  readonly issues: readonly ProblemIssue[]

  constructor(
    status: number,
    code: string,
    detail: string,
    options: ErrorOptions & { issues?: readonly ProblemIssue[] } = {},
  ) {
    super(detail, options)
    this.status = status
    this.code = code
    this.issues = options.issues ?? []
  }
}

/** Reads an answer that is no success. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const body = await readJson(response)
  if (!isProblem(body)) {
    return new ProblemError(
      response.status,
      'ANSWER_INVALID',
      `the server answered ${response.status} without a problem`,
    )
  }
  const { code, detail, issues } = body
  return new ProblemError(
    response.status,
    code,
    detail,
    Array.isArray(issues) ? { issues: issues as ProblemIssue[] } : {},
  )
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
