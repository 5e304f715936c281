import type { StdioServerSpec } from '@toolbridge/bridge'
import { fixtureServers } from '@toolbridge/testkit/servers'

type FixtureName = keyof typeof fixtureServers

/** A fixture server as a person would save it. */
export function savedServer(
  fixture: FixtureName,
  ...flags: readonly string[]
): { readonly command: string; readonly args: readonly string[] } {
  return { command: process.execPath, args: [fixtureServers[fixture], ...flags] }
}

/** A fixture server as the operator's file would define it. */
export function operatorServer(
  name: string,
  fixture: FixtureName,
  ...flags: readonly string[]
): StdioServerSpec {
  return {
    name,
    transport: 'stdio',
    ...savedServer(fixture, ...flags),
    env: {},
    enabled: true,
    required: false,
    source: { file: 'mcp.json', pointer: `/mcpServers/${name}` },
  }
}
