import type { Bridge, BridgeTool, Origin } from '@toolbridge/bridge'
import { deniedTools } from '@toolbridge/bridge/permissions'

/** Returns the tools of a bridge that an origin may call or ask for. A denied tool would only cost a model tokens. */
export async function callableTools(bridge: Bridge, origin: Origin): Promise<readonly BridgeTool[]> {
  const denied = await deniedTools(bridge, { origin })
  return bridge.tools.filter(({ name }) => !denied.has(name))
}
