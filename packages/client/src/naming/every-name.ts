import { defaultNaming, type NamingPolicy } from './naming-policy.ts'
import { firstName, hashedName, plainName, type ToolPair } from './tool-names.ts'

const SEPARATORS = ['-', '_', '.', '__', 'none'] as const
const SANITIZINGS = ['kebab', 'identifier', 'namespace-only', 'none'] as const

/** The names that a pair can have under any policy, with and without a hash. */
export function everyNameOf(pair: ToolPair): ReadonlySet<string> {
  return new Set(
    everyPolicy().flatMap((policy) => [
      plainName(pair, policy),
      firstName(pair, policy),
      hashedName(pair, policy),
    ]),
  )
}

/** Every style with and without the limit. `onCollision` does not change names. */
function everyPolicy(): readonly NamingPolicy[] {
  return SEPARATORS.flatMap((separator) =>
    SANITIZINGS.flatMap((sanitize) =>
      [defaultNaming.maxLength, Number.POSITIVE_INFINITY].map((maxLength) => ({
        ...defaultNaming,
        separator,
        sanitize,
        maxLength,
      })),
    ),
  )
}
