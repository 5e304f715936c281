import { Client } from '@modelcontextprotocol/sdk/client/index.js'

/** @typedef {import('../../clients/clients.mjs').Connection} Connection */

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<Connection>}
 */
export async function connectStdio(command, args) {
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
  return connect(new StdioClientTransport({ command, args: [...args] }))
}

/**
 * @param {string} url
 * @returns {Promise<Connection>}
 */
export async function connectHttp(url) {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  return connect(new StreamableHTTPClientTransport(new URL(url)))
}

/**
 * @param {any} transport its types disagree with `exactOptionalPropertyTypes`
 * @returns {Promise<Connection>}
 */
async function connect(transport) {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(transport)
  return {
    call: (name, given) => client.callTool({ name, arguments: given }),
    listTools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  }
}
