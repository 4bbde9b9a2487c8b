/** The schema file of an import: `'./teams'` in `app/users.portico` is `app/teams.portico`. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('./') && !specifier.startsWith('../')) return undefined
  const file = specifier.endsWith('.portico') ? specifier : `${specifier}.portico`
  const parts = from.split('/').slice(0, -1)
  for (const step of file.split('/')) {
    const last = parts.at(-1)
    if (step === '..' && last !== undefined && last !== '..' && last !== '') parts.pop()
    else if (step === '..') parts.push(step)
    else if (step !== '.' && step !== '') parts.push(step)
  }
  return parts.join('/')
}
