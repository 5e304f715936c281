import type { ActivityLog } from './activity/activity-log.ts'
import type { CallAdmission } from './lifecycle/call-admission.ts'
import type { McpEndpoint } from './mcp/mcp-endpoint.ts'
import type { GatewayState } from './metrics/gateway-metrics.ts'
import type { OwnerBridges } from './owners/owner-bridges.ts'

/** The parts of a gateway whose state is measured. */
interface MeasuredParts {
  readonly calls: CallAdmission
  readonly mcp: McpEndpoint
  readonly owners: OwnerBridges
  readonly activity: ActivityLog
}

/** Returns the state of the gateway as numbers. */
export async function stateOf({ calls, mcp, owners, activity }: MeasuredParts): Promise<GatewayState> {
  // Without those that are opening, which may take long if the store does not respond.
  const opened = await Promise.all(
    owners.opened.map((owner) => Promise.race([owner, Promise.resolve(undefined)]).catch(() => undefined)),
  )
  const states = opened.flatMap((owner) => owner?.status().map(({ state }) => state) ?? [])
  return {
    isDraining: calls.isDraining,
    runningCalls: calls.running,
    sessions: mcp.sessionCount,
    openOwners: opened.length,
    servers: countsOf(states),
    unstoredCalls: activity.unstored,
  }
}

function countsOf(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
