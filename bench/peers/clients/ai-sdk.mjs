import { createMCPClient } from '@ai-sdk/mcp'

/** @typedef {import('../../clients/clients.mjs').Connection} Connection */

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<Connection>}
 */
export async function connectStdio(command, args) {
  const { StdioMCPTransport } = await import('@ai-sdk/mcp/mcp-stdio')
  return connect(new StdioMCPTransport({ command, args: [...args] }))
}

/**
 * @param {string} url
 * @returns {Promise<Connection>}
 */
export function connectHttp(url) {
  return connect({ type: 'http', url })
}

/**
 * @param {import('@ai-sdk/mcp').MCPClientConfig['transport']} transport
 * @returns {Promise<Connection>}
 */
async function connect(transport) {
  const client = await createMCPClient({ transport })
  return {
    call: (name, given) => client.callTool({ name, arguments: given }),
    listTools: async () => (await client.listTools()).tools,
    close: () => client.close(),
  }
}
