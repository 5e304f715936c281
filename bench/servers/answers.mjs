/** Responses of both benchmark servers: protocol 2025-11-25, `echo`, `blob`, `flood` and any number of other tools. */

/**
 * @typedef {{ tools: number, outputSchemas: boolean }} Offer
 * @typedef {{ id?: number | string, method?: string, params?: any }} Message
 */

const initialized = JSON.stringify({
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'toolbridge-bench', version: '1.0.0' },
})

/**
 * Reads `--tools N` and `--output-schemas` from the command line.
 *
 * @returns {Offer}
 */
export function offerFromArguments() {
  const at = process.argv.indexOf('--tools')
  return {
    tools: at === -1 ? 10 : Number(process.argv[at + 1]),
    outputSchemas: process.argv.includes('--output-schemas'),
  }
}

/**
 * Returns the response to a message as JSON text, or undefined for none. Everything static is precomputed.
 *
 * @param {Offer} offer
 * @returns {(message: Message) => string | undefined}
 */
export function createAnswers(offer) {
  const list = JSON.stringify({
    tools: Array.from({ length: offer.tools }, (_, index) => toolAt(index, offer)),
  })
  const blobs = /** @type {Map<number, string>} */ (new Map())
  return (message) => {
    if (message.id === undefined || message.method === undefined) return undefined
    const start = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},`
    switch (message.method) {
      case 'tools/call':
        return `${floodOf(message.params)}${start}"result":${resultOf(message.params, blobs)}}`
      case 'tools/list':
        return `${start}"result":${list}}`
      case 'initialize':
        return `${start}"result":${initialized}}`
      case 'ping':
        return `${start}"result":{}}`
      default:
        return `${start}"error":{"code":-32601,"message":"method not found"}}`
    }
  }
}

/**
 * @param {{ name: string, arguments: { text: string, bytes: number } }} call
 * @param {Map<number, string>} blobs
 */
function resultOf({ name, arguments: given }, blobs) {
  if (name !== 'blob') return textResult(given.text)
  const known = blobs.get(given.bytes) ?? textResult('x'.repeat(given.bytes))
  blobs.set(given.bytes, known)
  return known
}

/**
 * The notifications before the response to `flood`. Only for stdio.
 *
 * @param {{ name: string, arguments: { count: number } }} call
 */
function floodOf({ name, arguments: given }) {
  return name === 'flood' ? `${notification}\n`.repeat(given.count) : ''
}

const notification = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'debug', data: 'noise' },
})

/** @param {string} text */
function textResult(text) {
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`
}

/**
 * @param {number} index
 * @param {Offer} offer
 */
function toolAt(index, { outputSchemas }) {
  const name = ['echo', 'blob', 'flood'][index] ?? `tool_${index}`
  const tool = { name, description: `Tool number ${index} of the benchmark server`, inputSchema: schema() }
  return outputSchemas ? { ...tool, outputSchema: schema() } : tool
}

/** About 600 bytes, like a tool with a few documented parameters. */
function schema() {
  return {
    type: 'object',
    properties: {
      text: {
        type: 'string',
        description: 'The text to work on, in plain characters',
        minLength: 0,
        maxLength: 4096,
      },
      bytes: {
        type: 'integer',
        description: 'How many bytes the answer shall have',
        minimum: 0,
        maximum: 67108864,
      },
      mode: {
        type: 'string',
        enum: ['fast', 'thorough', 'exhaustive'],
        default: 'fast',
        description: 'How to look',
      },
      tags: {
        type: 'array',
        items: { type: 'string', maxLength: 64 },
        description: 'Labels to attach',
        maxItems: 16,
      },
      options: {
        type: 'object',
        properties: { dryRun: { type: 'boolean', default: false } },
        additionalProperties: false,
      },
    },
    additionalProperties: true,
  }
}
