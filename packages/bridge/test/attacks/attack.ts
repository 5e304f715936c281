import type { PermissionRules } from '@toolbridge/bridge'
import { type Arguments, attackedBridge, type ServerName } from './attacked-bridge.ts'

/** Rules, and what they keep a server from touching. */
export interface Policy {
  readonly rules: PermissionRules
  readonly forbids: (touched: string) => boolean
}

/** A call that means something forbidden to its server. */
export type Attack = readonly [mechanism: string, server: ServerName, policy: Policy, args: Arguments]

/** The mechanisms by which a server touched what the rules forbid. */
export async function bypassesOf(attacks: readonly Attack[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const policy of new Set(attacks.map(([, , each]) => each))) {
    await using bridge = await attackedBridge(policy.rules, { approves: false })
    for (const [mechanism, server, own, args] of attacks)
      if (own === policy && (await bridge.touched(server, args)).some(policy.forbids)) found.push(mechanism)
  }
  return found
}

/** The mechanisms that reach nothing forbidden even where no rule stands in the way: they would prove nothing. */
export async function pointlessOf(attacks: readonly Attack[]): Promise<readonly string[]> {
  await using bridge = await attackedBridge({ mode: 'allow' }, { approves: true })
  const found: string[] = []
  for (const [mechanism, server, { forbids }, args] of attacks)
    if (!(await bridge.touched(server, args)).some(forbids)) found.push(mechanism)
  return found
}
