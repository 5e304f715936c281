import { everyNameOf } from '@toolbridge/client/internal'
import type { BridgeTool } from '../../catalog/bridge-tool.ts'

/**
 * Every name that a tool has or would have in another naming style, with and without a hash. Restricting rules match all
 * of them, so that neither another dialect nor a name collision evades a rule.
 */
export function namesInAnyStyle({ name, plainNames, server, rawName }: BridgeTool): ReadonlySet<string> {
  return new Set([name, ...plainNames, ...everyNameOf({ server, tool: rawName })])
}
