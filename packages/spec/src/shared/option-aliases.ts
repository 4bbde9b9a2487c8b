// Copied from shared/option-aliases.ts by `npm run copies`; edit it there.
/**
 * Some options have two names, such as `guard` and `guards`. Describes the conflict if both are given and differ. A single
 * value equals a list of that value.
 */
export function findAliasConflict(
  [one, other]: readonly [string, string],
  [first, second]: readonly [unknown, unknown],
): string | undefined {
  if (first === undefined || second === undefined || isSameList(first, second)) return undefined
  return `\`${one}\` and \`${other}\` are the same option, but their values differ`
}

function isSameList(one: unknown, other: unknown): boolean {
  const [first, second] = [toList(one), toList(other)]
  return first.length === second.length && first.every((it, index) => it === second[index])
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
