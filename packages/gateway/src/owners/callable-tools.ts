import type { Bridge, BridgeTool, Origin } from '@toolbridge/bridge'

/** Returns the tools of a bridge that an origin may call or ask for. A denied tool would only cost a model tokens. */
export function callableTools(bridge: Bridge, origin: Origin): readonly BridgeTool[] {
  const denied = bridge.deniedTools({ origin })
  return bridge.tools.filter(({ name }) => !denied.has(name))
}
