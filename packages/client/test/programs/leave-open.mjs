/** A host that starts the server of its arguments, talks to it, and exits without closing. Prints the server's id. */

import { McpClient } from '@toolbridge/client'
import { StdioTransport } from '@toolbridge/client/stdio'

const transport = new StdioTransport({ command: process.execPath, args: process.argv.slice(2) })
await new McpClient(transport).connect()
process.stdout.write(JSON.stringify({ pid: transport.pid }), () => process.exit())
