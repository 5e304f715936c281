/**
 * The compared clients. Each has an adapter and a page of the same name: for peers, whose libraries are installed
 * separately, in `peers/clients` and `peers/browser`; for the others, in `clients` and `browser`.
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

import { resolve } from '../peers/resolve.mjs'

/** Every client with the root entry point of its library. */
export const rootEntries = {
  raw: './raw.mjs',
  toolbridge: '@toolbridge/client',
  'sdk-v2': '@modelcontextprotocol/client',
  'sdk-v1': '@modelcontextprotocol/sdk/client/index.js',
  'ai-sdk': '@ai-sdk/mcp',
}

const peers = ['sdk-v2', 'sdk-v1', 'ai-sdk']

/**
 * The folder of a client's files, relative to `bench`.
 *
 * @param {string} client
 */
export function folderOf(client) {
  return peers.includes(client) ? 'peers/' : ''
}

/**
 * @param {string} client
 * @returns {Promise<Adapter>}
 */
export function loadAdapter(client) {
  return import(`../${folderOf(client)}clients/${client}.mjs`)
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
 * URL of the root entry point of a client's library.
 *
 * @param {string} client
 */
export function rootEntryOf(client) {
  const entry = Object.entries(rootEntries).find(([name]) => name === client)?.[1]
  if (entry === undefined) throw new Error(`unknown root entry point of ${client}`)
  return peers.includes(client) ? resolve(entry) : import.meta.resolve(entry)
}
