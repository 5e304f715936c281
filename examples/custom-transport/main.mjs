/** A transport of your own: JSON lines over a TCP socket, used by a client and then by a bridge. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { localAuthority, openBridge, toText } from '@toolbridge/bridge'
import { BaseJsonRpcTransport, McpClient, McpError, McpErrorCode } from '@toolbridge/client'

/** Sends and receives; the base class matches answers to requests and handles timeouts and cancellation. */
class TcpTransport extends BaseJsonRpcTransport {
  constructor(port) {
    super()
    this.port = port
  }

  async start() {
    this.socket = connect(this.port, '127.0.0.1')
    this.socket.on('close', () => this.lose(new McpError('the socket was closed', closed)))
    createInterface({ input: this.socket }).on('line', (line) => this.receive(JSON.parse(line)))
    await once(this.socket, 'connect')
  }

  sendMessage(message) {
    this.socket.write(`${JSON.stringify(message)}\n`)
  }

  async close() {
    this.finish()
    this.socket?.destroy()
  }
}
const closed = { kind: 'closed', code: McpErrorCode.ConnectionClosed }

// The server: every socket gets its own process.
const program = fileURLToPath(new URL('../../packages/testkit/dist/servers/hello.js', import.meta.url))
const listener = createServer((socket) => {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  socket.pipe(child.stdin)
  child.stdout.pipe(socket)
})
await once(listener.listen(0, '127.0.0.1'), 'listening')
const { port } = listener.address()

const client = new McpClient(new TcpTransport(port))
await client.connect()
const { content } = await client.callTool('hello', { name: 'client' })
assert.equal(content[0].text, 'Hello, client!')
await client.close()

const servers = { tcp: { command: 'none' } }
const transportOf = ({ name }) => (name === 'tcp' ? new TcpTransport(port) : undefined)
const permissions = { mode: 'allow' }
const bridge = await openBridge({ servers, authority: localAuthority(), permissions, transportOf })
assert.equal(toText(await bridge.call('tcp__hello', { name: 'bridge' })), 'Hello, bridge!')
await bridge.close()
listener.close()
console.log('called by the client and by the bridge')
