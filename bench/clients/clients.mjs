/**
 * The clients that are compared. Each has an adapter of the same name in this folder and a program in `../browser`
 * that connects, lists and calls over HTTP.
 *
 * @typedef {{
 *   call(name: string, given: Record<string, unknown>): Promise<any>
 *   listTools(): Promise<readonly unknown[]>
 *   close(): Promise<void>
 * }} Connection
 *
 * @typedef {{
 *   connectStdio: (command: string, args: readonly string[]) => Promise<Connection>
 *   connectHttp: (url: string) => Promise<Connection>
 * }} Adapter
 */

/** Every client and the root entry of its library. */
export const rootEntries = {
  raw: './raw.mjs',
  toolbridge: '@toolbridge/client',
  'sdk-v2': '@modelcontextprotocol/client',
  'sdk-v1': '@modelcontextprotocol/sdk/client/index.js',
  'ai-sdk': '@ai-sdk/mcp',
}

/**
 * @param {string} client
 * @returns {Promise<Adapter>}
 */
export function loadAdapter(client) {
  return import(`./${client}.mjs`)
}

/**
 * @param {string} client
 * @param {import('../rounds.mjs').ServerAddress} server
 * @returns {Promise<Connection>}
 */
export async function connect(client, server) {
  const adapter = await loadAdapter(client)
  return 'command' in server
    ? adapter.connectStdio(server.command, server.args)
    : adapter.connectHttp(server.urls[0] ?? '')
}

/**
 * Imports the root entry of a client's library.
 *
 * @param {string} client
 */
export function importRootEntry(client) {
  const entry = Object.entries(rootEntries).find(([name]) => name === client)?.[1]
  if (entry === undefined) throw new Error(`no root entry is known for ${client}`)
  return import(entry)
}
