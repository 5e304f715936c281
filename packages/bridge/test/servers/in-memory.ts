import { type BridgeOptions, type StdioServerSpec } from '@toolbridge/bridge'
import { createMemoryPair } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { loadFixture } from '@toolbridge/testkit/servers'

// Loaded here because `linkInMemory` is synchronous.
const create = { hello: await loadFixture('hello'), elicit: await loadFixture('elicit') }
const command = 'in-memory'

/**
 * A definition of a fixture server that runs in this process, for tests to which its process does not matter. Only
 * bridges with the option `transportOf: linkInMemory` reach it; each connection gets a server of its own.
 */
export function inMemory(program: keyof typeof create, name: string = program): StdioServerSpec {
  return {
    name,
    transport: 'stdio',
    enabled: true,
    required: false,
    source: { file: 'test', pointer: `/${name}` },
    command,
    args: [program],
    env: { CANARY: canary('environment') },
  }
}

export const linkInMemory: NonNullable<BridgeOptions['transportOf']> = (spec) => {
  if (spec.transport !== 'stdio' || spec.command !== command) return undefined
  const [link, end] = createMemoryPair()
  const program = spec.args[0] === 'elicit' ? 'elicit' : 'hello'
  void create[program]().connect(end)
  return link
}
