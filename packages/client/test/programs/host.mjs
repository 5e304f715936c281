/** A host that starts the servers it is given and then waits to be ended. Prints a line when all have been started. */

import { McpClient } from '@toolbridge/client'
import { StdioTransport } from '@toolbridge/client/stdio'

/** @type {import('@toolbridge/client/stdio').StdioTransportConfig[]} */
const configs = JSON.parse(process.argv[2] ?? '[]')

for (const config of configs) {
  const client = new McpClient(new StdioTransport(config))
  client.connect({ timeoutMs: 60_000 }).catch(() => undefined)
}
setInterval(() => undefined, 60_000)
process.stdout.write('started\n')
