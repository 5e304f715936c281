import type { StdioServerSpec } from '@toolbridge/bridge'
import { canary } from '@toolbridge/testkit/secrets'
import { fixtureServers } from '@toolbridge/testkit/servers'

type FixtureName = keyof typeof fixtureServers

/** A fixture server as a person would save it. */
export function savedServer(
  fixture: FixtureName,
  ...flags: readonly string[]
): {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
} {
  return {
    command: process.execPath,
    args: [fixtureServers[fixture], ...flags],
    env: { KEY: canary('saved') },
  }
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
    env: { KEY: canary('operator') },
    enabled: true,
    required: false,
    source: { file: 'mcp.json', pointer: `/mcpServers/${name}` },
  }
}
