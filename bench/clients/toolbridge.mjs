import { HttpTransport, McpClient } from '@toolbridge/client'

/**
 * @typedef {import('./clients.mjs').Connection} Connection
 * @typedef {import('@toolbridge/client').McpTransport} Transport
 */

/** Without options. */
export const { connectStdio, connectHttp } = createAdapter({})

/**
 * @param {import('@toolbridge/client').McpClientOptions} clientOptions
 * @param {import('@toolbridge/client').RequestOptions} [callOptions]
 * @returns {import('./clients.mjs').Adapter}
 */
export function createAdapter(clientOptions, callOptions) {
  const connect = async (/** @type {Transport} */ transport) => {
    const client = new McpClient(transport, clientOptions)
    await client.connect()
    return connection(client, callOptions)
  }
  return {
    async connectStdio(command, args) {
      const { StdioTransport } = await import('@toolbridge/client/stdio')
      return connect(new StdioTransport({ command, args }))
    },
    connectHttp: (url) => connect(new HttpTransport({ url })),
  }
}

/**
 * @param {McpClient} client
 * @param {import('@toolbridge/client').RequestOptions | undefined} callOptions
 * @returns {Connection}
 */
function connection(client, callOptions) {
  return {
    call: (name, given) => client.callTool(name, given, callOptions),
    listTools: () => client.listTools(callOptions),
    close: () => client.close(),
  }
}
