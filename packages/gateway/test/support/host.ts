import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js'
import { paths } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'

/** An MCP host made of the official client. */
export interface Host extends AsyncDisposable {
  readonly client: Client
  readonly sessionId: string | undefined
  /** Ends the session at the gateway, as a host that quits does. */
  endSession(): Promise<void>
}

export interface HostOptions {
  readonly token?: string
  /** The name that it gives itself. Default: `test-host`. */
  readonly name?: string
  /** Sent with every request. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of the URL of the endpoint, such as `?tools=code`. */
  readonly query?: string
  /** Declares that the host can ask its user, and answers for that user. */
  readonly onQuestion?: (params: ElicitRequest['params']) => Promise<ElicitResult>
  readonly onToolsChanged?: () => void
}

export async function connectHost(url: string, options: HostOptions = {}): Promise<Host> {
  const { token = canary('host'), name = 'test-host', query = '', onQuestion, onToolsChanged } = options
  const client = new Client(
    { name, version: '1' },
    { capabilities: onQuestion === undefined ? {} : { elicitation: {} } },
  )
  if (onQuestion !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => onQuestion(params))
  if (onToolsChanged !== undefined) {
    client.fallbackNotificationHandler = async ({ method }) => {
      if (method === 'notifications/tools/list_changed') onToolsChanged()
    }
  }
  const headers = { ...options.headers, authorization: `Bearer ${token}` }
  const address = new URL(url + paths.mcp + query)
  const transport = new StreamableHTTPClientTransport(address, { requestInit: { headers } })
  await client.connect(transport)
  return {
    client,
    get sessionId() {
      return transport.sessionId
    },
    endSession: () => transport.terminateSession(),
    [Symbol.asyncDispose]: () => client.close(),
  }
}
