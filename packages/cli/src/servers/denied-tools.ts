import type { Bridge } from '@toolbridge/bridge'

/** The tools that may not be called whatever the arguments are, by name, with the rule that denies them. */
export async function deniedTools(bridge: Bridge): Promise<ReadonlyMap<string, string>> {
  const decided = await Promise.all(
    // A rule with conditions does not hold for a call without arguments.
    bridge.tools.map(async ({ name }) => ({ name, ...(await bridge.permissionFor(name, {})) })),
  )
  return new Map(
    decided
      .filter(({ verdict }) => verdict === 'deny')
      .map(({ name, reason = '' }) => [name, reason] as const),
  )
}
