import type { BridgeTool, ServerSpec } from '@toolbridge/bridge'
import { mayHaveTool } from '@toolbridge/bridge/catalog'
import { nearestName } from '@toolbridge/client/internal'
import { UsageError } from '../usage-error.ts'

/**
 * The servers that can have a tool of this name: those that the name begins with, by public name, `mcp://` URI,
 * `server.tool` or `server/tool`. All of them if there is none, because it may be the server's own name for the tool.
 */
export function serversThatMayHave(servers: readonly ServerSpec[], name: string): readonly ServerSpec[] {
  const named = servers.filter(
    (server) => mayHaveTool(server, name) || separators.some((each) => name.startsWith(server.name + each)),
  )
  return named.length === 0 && !name.startsWith('mcp://') ? servers : named
}

const separators = ['.', '/']

/** Finds a tool by any of its names; undefined if there is none. Throws if several tools have the name. */
export function findTool(tools: readonly BridgeTool[], name: string): BridgeTool | undefined {
  const exact = tools.find((tool) => tool.name === name || tool.uri === name)
  const qualified = (tool: BridgeTool): boolean =>
    separators.some((each) => `${tool.server}${each}${tool.rawName}` === name)
  const [found, another] =
    exact === undefined ? either(tools.filter(qualified), tools.filter(hasRawName(name))) : [exact]
  if (found === undefined || another === undefined) return found
  const names = [found, another].map((tool) => tool.name).join(', ')
  throw new UsageError(`"${name}" may be several tools: ${names}. Use one of these names`)
}

function either<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  return first.length > 0 ? first : second
}

function hasRawName(name: string): (tool: BridgeTool) => boolean {
  return (tool) => tool.rawName === name
}

/** The public name of the tool that a misspelled name is likely meant to be. */
export function nearestTool(tools: readonly BridgeTool[], name: string): string | undefined {
  const named = new Map(
    tools.flatMap((tool) => [
      [tool.rawName, tool.name],
      ...separators.map((each) => [`${tool.server}${each}${tool.rawName}`, tool.name] as const),
      [tool.name, tool.name],
    ]),
  )
  const nearest = nearestName(name, [...named.keys()])
  return nearest === undefined ? undefined : named.get(nearest)
}
