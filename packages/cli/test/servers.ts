import { canary } from '@toolbridge/testkit/secrets'
import { fixtureServers } from '@toolbridge/testkit/servers'

const env = { KEY: canary('environment') }

/** A server that greets. */
export const hello = { command: process.execPath, args: [fixtureServers.hello], env }

/** A server that ends as soon as it is started. */
export const crashing = {
  command: process.execPath,
  args: [fixtureServers.hostile, '--crash-before-initialize'],
  env,
}
