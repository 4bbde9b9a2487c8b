import type { SecurityRequirement, SecurityScheme } from './document.ts'
import { SpecError } from './errors.ts'
import type { DescribedRoute } from './routes.ts'

type Schemes = Readonly<Record<string, SecurityScheme>>

const bearer: SecurityScheme = { type: 'http', scheme: 'bearer' }

/** The security requirements of a document. */
export interface Security {
  readonly schemes: Schemes
  /** True if no operation has a requirement. */
  readonly isOpen: boolean
  isGuarded(described: DescribedRoute): boolean
  /** The requirement of an operation. A public one gets `security: []` if others have requirements. */
  describe(described: DescribedRoute): { security?: readonly SecurityRequirement[] }
}

/** Reads the schemes of guards and decorators. An undeclared scheme is a `SpecError`. */
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

/** The handler's decorators have precedence over the controller's, and both over the guards. */
function readRequirements(
  { route, handler, controller }: DescribedRoute,
  fallback: string,
): readonly SecurityRequirement[] {
  for (const { specPublic, specSecurity } of [handler, controller]) {
    if (specPublic) return []
    if (specSecurity) return specSecurity
  }
  if (route.guards.length === 0) return []
  // All guards apply together. If none names a scheme, the first declared one is meant.
  const names = route.guards.map((it) => it.security).filter((it) => it !== undefined)
  return [Object.fromEntries((names.length > 0 ? names : [fallback]).map((name) => [name, []]))]
}

function addScheme(schemes: Record<string, SecurityScheme>, name: string, { place }: DescribedRoute): void {
  if (Object.hasOwn(schemes, name)) return
  if (name !== 'bearer') {
    throw new SpecError(
      'SECURITY_UNKNOWN',
      `${place} requires the security scheme \`${name}\`, which \`securitySchemes\` does not declare`,
    )
  }
  schemes['bearer'] = bearer
}
