import { defaultNaming, type NamingPolicy } from './naming-policy.ts'
import { digestOf, hashedName, plainName, type ToolPair } from './tool-names.ts'

const SEPARATORS = ['-', '_', '.', '__', 'none'] as const
const SANITIZINGS = ['kebab', 'identifier', 'namespace-only', 'none'] as const
const LIMITS = [defaultNaming.maxLength, Number.POSITIVE_INFINITY]

/** The names that a pair can have under any policy, with and without a hash. */
export function everyNameOf(pair: ToolPair): ReadonlySet<string> {
  const digest = digestOf(pair)
  return new Set(
    everyStyle().flatMap((policy) => {
      const plain = plainName(pair, policy)
      return [plain, ...LIMITS.map((maxLength) => hashedName(pair, { ...policy, maxLength }, plain, digest))]
    }),
  )
}

/** Policies of every style. `onCollision` does not change names. */
function everyStyle(): readonly NamingPolicy[] {
  return SEPARATORS.flatMap((separator) =>
    SANITIZINGS.map((sanitize) => ({ ...defaultNaming, separator, sanitize })),
  )
}
