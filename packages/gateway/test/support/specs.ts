import type { ServerSpec, StdioServerSpec } from '@toolbridge/bridge'
import { canary } from '@toolbridge/testkit/secrets'
import { fixtureServers } from '@toolbridge/testkit/servers'
import { inMemory } from '../../../bridge/test/servers/in-memory.ts'

type FixtureName = keyof typeof fixtureServers

/** Definitions of servers in the process of the test. Test gateways reach them; each connection gets its own server. */
export { inMemory }

interface SavedServer {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The same, as a person would save it. */
export function savedInMemory(fixture: 'hello' | 'elicit'): SavedServer {
  const { command, args } = inMemory(fixture)
  return { command, args, env: { KEY: canary('saved') } }
}

/** A fixture server as a person would save it. */
export function savedServer(fixture: FixtureName, ...flags: readonly string[]): SavedServer {
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

/** A server at a URL as the operator's file would define it. */
export function remoteServer(name: string, url: string): ServerSpec {
  return {
    name,
    transport: 'http',
    url,
    headers: {},
    enabled: true,
    required: false,
    source: { file: 'mcp.json', pointer: `/mcpServers/${name}` },
  }
}
