import { everyNameOf } from '@toolbridge/client/internal'
import type { BridgeTool } from '../../catalog/bridge-tool.ts'

/**
 * Every name that a tool has, had or would have in another style of names, with and without a hash. Rules that narrow
 * hold for all of them, so that neither another dialect nor a second tool whose name collides shakes one off.
 */
export function namesInAnyStyle({ name, plainNames, server, rawName }: BridgeTool): ReadonlySet<string> {
  return new Set([name, ...plainNames, ...everyNameOf({ server, tool: rawName })])
}
