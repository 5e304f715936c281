/** Tools of every stub server. */
export const toolNames = ['read_file', 'write_file', 'delete_file']

/** The description of a tool. A request to the model that has it offers the tool, under whatever name. */
export function markOf(label, tool) {
  return `stub:${label}:${tool}:end`
}

/** Answers a message of a host, or returns undefined if it needs no answer. */
export function answer({ id, method, params }, label) {
  if (id === undefined || method === undefined) return undefined
  const result = resultOf(method, params ?? {}, label)
  return result === undefined
    ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'method not found' } }
    : { jsonrpc: '2.0', id, result }
}

function resultOf(method, { protocolVersion = '2025-06-18' }, label) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'stub', version: '1.0.0' },
      }
    case 'ping':
      return {}
    case 'tools/list':
      return {
        tools: toolNames.map((name) => ({
          name,
          description: markOf(label, name),
          inputSchema: { type: 'object', properties: {} },
        })),
      }
    default:
      return undefined
  }
}
