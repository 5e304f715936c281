import type { Bridge } from './bridge.ts'
import type { CallOptions } from './call.ts'

/**
 * Returns the tools that may not be called whatever the arguments are: the rule that denies each, by name. Default origin:
 * that of the bridge.
 */
export async function deniedTools(
  bridge: Bridge,
  options: Pick<CallOptions, 'origin'> = {},
): Promise<ReadonlyMap<string, string>> {
  const decided = await Promise.all(
    // A rule with conditions does not hold for a call without arguments.
    bridge.tools.map(async ({ name }) => ({ name, ...(await bridge.permissionFor(name, {}, options)) })),
  )
  return new Map(
    decided
      .filter(({ verdict }) => verdict === 'deny')
      .map(({ name, reason = '' }) => [name, reason] as const),
  )
}
