import { createMemoryPair, type JsonRpcMessage, type McpTransport } from '@toolbridge/client'
import { type Cassette, CassetteError, type RecordedServer } from './cassette.ts'
import { ReplaySession } from './replay-session.ts'

/** Options of `replayTransport` and `replayServer`. */
export interface ReplayOptions {
  /** The server to replay. Default: the only one of the cassette. */
  readonly server?: string
}

/**
 * Creates a transport to a recorded server in this process, for tests. A request is matched by its method and parameters,
 * in any order; its recordings are used in turn, and the last one again. Elicitations of the recording are asked again.
 *
 * @example
 * ```ts
 * import { readCassette, replayTransport } from '@toolbridge/bridge/cassette'
 * import { McpClient } from '@toolbridge/client'
 *
 * const client = new McpClient(replayTransport(await readCassette('hello.cassette')))
 * await client.connect()
 * const { content } = await client.callTool('hello', { name: 'Ada' })
 * console.log(content) // [ { type: 'text', text: 'Hello, Ada!' } ]
 * await client.close()
 * ```
 */
export function replayTransport(cassette: Cassette, options: ReplayOptions = {}): McpTransport {
  const [transport, end] = createMemoryPair()
  end.onmessage = replayServer(cassette, (message) => void end.send(message), options)
  return transport
}

/** Starts a recorded server for one client. Returns the function that gets the messages of the client; `send` gets its own. */
export function replayServer(
  cassette: Cassette,
  send: (message: JsonRpcMessage) => void,
  options: ReplayOptions = {},
): (message: unknown) => void {
  const session = new ReplaySession(recordedServer(cassette, options.server), send)
  return (message) => session.receive(message)
}

/** A server of a cassette by its name, or the only one. Throws a `CassetteError` if there is none or a choice. */
export function recordedServer({ file, servers }: Cassette, name?: string): RecordedServer {
  const names = servers.map((each) => each.name).join(', ')
  if (name === undefined && servers.length > 1)
    throw new CassetteError(`the cassette has several servers: name one of ${names}`, { file })
  const found = servers.find((each) => name === undefined || each.name === name)
  if (found !== undefined) return found
  const reason =
    name === undefined
      ? 'no server was recorded'
      : `server "${name}" was not recorded; recorded: ${names || 'none'}`
  throw new CassetteError(reason, { file })
}
