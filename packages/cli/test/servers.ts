import type { BridgeOptions } from '@toolbridge/bridge'
import { createMemoryPair } from '@toolbridge/client'
import { canary } from '@toolbridge/testkit/secrets'
import { fixtureServers, loadFixture } from '@toolbridge/testkit/servers'

const env = { KEY: canary('environment') }

/** A server that greets. */
export const hello = { command: process.execPath, args: [fixtureServers.hello], env }

// Loaded here because `linkHello` is synchronous.
const createHello = await loadFixture('hello')

/** Runs the server that greets in this process instead of as a program. */
export const linkHello: NonNullable<BridgeOptions['transportOf']> = (spec) => {
  if (spec.transport !== 'stdio' || spec.args[0] !== fixtureServers.hello) return undefined
  const [link, end] = createMemoryPair()
  void createHello().connect(end)
  return link
}

/** A server that ends as soon as it is started. */
export const crashing = {
  command: process.execPath,
  args: [fixtureServers.hostile, '--crash-before-initialize'],
  env,
}
