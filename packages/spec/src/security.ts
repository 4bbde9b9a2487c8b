import type { SecurityRequirement, SecurityScheme } from './document.ts'
import { SpecError } from './errors.ts'
import type { DescribedRoute } from './routes.ts'

type Schemes = Readonly<Record<string, SecurityScheme>>

const bearer: SecurityScheme = { type: 'http', scheme: 'bearer' }

/** Who may call what. */
export interface Security {
  readonly schemes: Schemes
  /** Whether no operation asks for anything. */
  readonly isOpen: boolean
  isGuarded(described: DescribedRoute): boolean
  /** What an operation asks for; that it asks for nothing is said where others do. */
  describe(described: DescribedRoute): { security?: readonly SecurityRequirement[] }
}

/** Reads what guards and decorators ask for. A scheme that nobody declared is a mistake. */
export function readSecurity(routes: readonly DescribedRoute[], declared: Schemes): Security {
  const fallback = Object.keys(declared)[0] ?? 'bearer'
  const requirements = new Map<DescribedRoute, readonly SecurityRequirement[]>()
  const schemes: Record<string, SecurityScheme> = { ...declared }
  for (const it of routes) {
    const alternatives = readRequirements(it, fallback)
    requirements.set(it, alternatives)
    for (const name of alternatives.flatMap((asked) => Object.keys(asked))) addScheme(schemes, name, it)
  }
  const isGuarded = (described: DescribedRoute): boolean => requirements.get(described)!.length > 0
  const isOpen = !routes.some(isGuarded)
  return {
    schemes,
    isOpen,
    isGuarded,
    describe: (described) => (isOpen ? {} : { security: requirements.get(described)! }),
  }
}

/** What the handler says counts before what the controller says, and both before the guards. */
function readRequirements(
  { route, handler, controller }: DescribedRoute,
  fallback: string,
): readonly SecurityRequirement[] {
  for (const { specPublic, specSecurity } of [handler, controller]) {
    if (specPublic) return []
    if (specSecurity) return specSecurity
  }
  if (route.guards.length === 0) return []
  // Every guard has to let the request pass. Those that name no scheme ask for the one that comes first.
  const names = route.guards.map((it) => it.security).filter((it) => it !== undefined)
  return [Object.fromEntries((names.length > 0 ? names : [fallback]).map((name) => [name, []]))]
}

function addScheme(schemes: Record<string, SecurityScheme>, name: string, { place }: DescribedRoute): void {
  if (Object.hasOwn(schemes, name)) return
  if (name !== 'bearer') {
    throw new SpecError(
      'SECURITY_UNKNOWN',
      `${place} asks for the security scheme \`${name}\`, which securitySchemes does not declare`,
    )
  }
  schemes['bearer'] = bearer
}
