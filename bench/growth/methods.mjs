/** Requests of MCP hosts to `/mcp`, for every method that the endpoint answers. */

/** Fields of the parameters that are text, by method; those of a session come after its handshake. */
export const methods =
  /** @type {Readonly<Record<string, Readonly<Record<string, (text: string) => unknown>>>>} */ ({
    initialize: {
      protocolVersion: (text) => ({ protocolVersion: text, capabilities: {}, clientInfo }),
      clientInfo: (text) => ({
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: text, version: text, title: text },
      }),
      capabilities: (text) => ({
        protocolVersion: '2025-11-25',
        capabilities: { experimental: { a: valueOf(text) } },
        clientInfo,
      }),
    },
    'notifications/initialized': { _meta: (text) => ({ _meta: { a: valueOf(text) } }) },
    'notifications/cancelled': { reason: (text) => ({ requestId: text, reason: text }) },
    'notifications/progress': { message: (text) => ({ progressToken: text, progress: 1, message: text }) },
    ping: { _meta: (text) => ({ _meta: { a: valueOf(text) } }) },
    'tools/list': { cursor: (text) => ({ cursor: text }) },
    'tools/call': {
      name: (text) => ({ name: text, arguments: {} }),
      arguments: (text) => ({ name: 'bench__echo', arguments: { text } }),
      path: (text) => ({ name: 'bench__echo', arguments: { path: text } }),
      value: (text) => ({ name: 'bench__echo', arguments: { value: valueOf(text) } }),
      key: (text) => ({ name: 'bench__echo', arguments: { [text]: 1 } }),
      _meta: (text) => ({ name: 'bench__echo', arguments: {}, _meta: { progressToken: text } }),
    },
    'server/discover': { _meta: (text) => ({ _meta: { ...modern, a: valueOf(text) } }) },
    'subscriptions/listen': { notifications: (text) => ({ notifications: { [text]: true }, _meta: modern }) },
    'unknown/method': { params: (text) => ({ a: valueOf(text) }) },
  })

const clientInfo = { name: 'bench', version: '1' }
const revision = '2026-07-28'
const modern = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
}

/**
 * @param {number} limit
 * @returns {import('./requests.mjs').RequestRow[]}
 */
export function methodRows(limit) {
  const common = { method: 'POST', by: /** @type {const} */ ('mcp'), limit }
  const ofEra = (
    /** @type {string} */ method,
    /** @type {string} */ place,
    /** @type {(text: string) => any} */ write,
    /** @type {boolean} */ isModern,
  ) => ({
    ...common,
    name: `/mcp ${method}: ${place}${isModern ? ' (2026-07-28)' : ''}`,
    request: (/** @type {string} */ text) => messageOf(method, write(text), isModern),
  })
  return [
    { ...common, name: '/mcp: (no message)', request: (text) => ({ path: '/mcp', body: text }) },
    {
      ...common,
      name: '/mcp: id',
      request: (text) => ({ path: '/mcp', body: JSON.stringify({ jsonrpc: '2.0', id: text, method: text }) }),
    },
    ...Object.entries(methods).flatMap(([method, places]) =>
      Object.entries(places).flatMap(([place, write]) => [
        ofEra(method, place, write, false),
        ofEra(method, place, write, true),
      ]),
    ),
  ]
}

/**
 * @param {string} method
 * @param {any} params
 * @param {boolean} isModern
 */
function messageOf(method, params, isModern) {
  const id = method.startsWith('notifications/') ? {} : { id: 1 }
  const all = isModern ? { ...params, _meta: { ...modern, ...params._meta } } : params
  const headers = isModern ? { 'mcp-protocol-version': revision, 'mcp-method': method } : {}
  const name =
    isModern && method === 'tools/call'
      ? {
          'mcp-name': String(params.name)
            .slice(0, 100)
            .replaceAll(/[^ -~]/g, ''),
        }
      : {}
  return {
    path: '/mcp',
    body: JSON.stringify({ jsonrpc: '2.0', ...id, method, params: all }),
    headers: { accept: 'application/json, text/event-stream', ...headers, ...name },
  }
}

/** @param {string} text */
function valueOf(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
