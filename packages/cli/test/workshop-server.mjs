/** A server with tools for every kind of argument, resources, prompts and completions. Plain, so that it starts fast. */

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const nothing = { type: 'object', properties: {} }
const image = { type: 'image', data: pixel, mimeType: 'image/png' }

/** The tools that it has. */
export const tools = [
  {
    name: 'echo',
    title: 'Echo',
    description: 'Says what it was told. Use it for tests\nonly, never at work.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 2, description: 'What to say' },
        count: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
        ratio: { type: 'number' },
        loud: { type: 'boolean' },
        mode: { enum: ['fast', 'slow', 3] },
        tags: { type: 'array', items: { type: 'string' } },
        ids: { type: 'array', items: { type: 'integer' } },
        filter: { $ref: '#/$defs/filter' },
        note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        'dotted.name': { type: 'string' },
        raw: {},
      },
      required: ['text'],
      $defs: {
        filter: {
          type: 'object',
          properties: {
            field: { type: 'string' },
            limit: { type: 'integer' },
            and: { $ref: '#/$defs/filter' },
          },
          required: ['field'],
        },
      },
    },
    annotations: { readOnlyHint: true },
  },
  { name: 'picture', description: 'Shows a picture.', inputSchema: nothing },
  { name: 'pictures', description: 'Shows two pictures.', inputSchema: nothing },
  { name: 'fail', description: 'Fails.', inputSchema: nothing },
  { name: 'steps', description: 'Reports progress.', inputSchema: nothing },
  {
    name: 'open',
    description: 'Takes anything.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: true },
  },
]

const results = {
  echo: (args) => ({ content: [{ type: 'text', text: JSON.stringify(args) }] }),
  open: (args) => results.echo(args),
  picture: () => ({ content: [{ type: 'text', text: 'look' }, image] }),
  pictures: () => ({ content: [image, { ...image, mimeType: 'image/gif; q=1' }] }),
  fail: () => ({ content: [{ type: 'text', text: 'broken \u001b[31mred' }], isError: true }),
  steps: () => ({ content: [{ type: 'text', text: 'done' }] }),
}

const prompts = [
  {
    name: 'review',
    description: 'Reviews a text.',
    arguments: [{ name: 'text', description: 'What to review', required: true }, { name: 'tone' }],
  },
]

const contents = {
  'note://one': { uri: 'note://one', mimeType: 'text/plain', text: 'a\tb\u001b[31m\n' },
  'image://dot': { uri: 'image://dot', mimeType: 'image/png', blob: pixel },
}

const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
    serverInfo: { name: 'workshop', version: '1.0.0' },
  }),
  'tools/list': (_params, { send, only, key }) => {
    send({ method: 'notifications/message', params: { level: 'debug', data: `the key is ${key}` } })
    return { tools: tools.filter(({ name }) => only.length === 0 || only.includes(name)) }
  },
  'tools/call': ({ name, arguments: args, _meta }, { send }) => {
    const { progressToken } = _meta ?? {}
    for (const progress of name === 'steps' ? [1, 2] : [])
      send({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 2, message: 'half' },
      })
    return results[name](args ?? {})
  },
  'prompts/list': () => ({ prompts }),
  'prompts/get': ({ arguments: { text, tone = 'kind' } }) => ({
    messages: [
      { role: 'user', content: { type: 'text', text: `Review ${text}, be ${tone}.` } },
      { role: 'assistant', content: image },
    ],
  }),
  'resources/list': () => ({
    resources: Object.values(contents).map(({ uri, mimeType }) => ({ uri, mimeType, name: uri.slice(-3) })),
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: 'note://{name}', name: 'note', description: 'A note' }],
  }),
  'resources/read': ({ uri }) => ({ contents: [contents[uri] ?? { uri, text: `This is ${uri}.` }] }),
  'completion/complete': ({ argument, context }) => ({
    completion: { values: [`${argument.value}mma`, JSON.stringify(context?.arguments ?? {})], total: 2 },
  }),
  ping: () => ({}),
}

/** Answers a message. `only`: names of the tools that it has, if not all. `key`: a secret that it repeats. */
export function answer({ id, method, params }, { send: sendMessage, only, key }) {
  const send = (message) => sendMessage({ jsonrpc: '2.0', ...message })
  if (id !== undefined) send({ id, ...answerTo(method, params, { send, only, key }) })
}

function answerTo(method, params, session) {
  try {
    return { result: answers[method](params, session) }
  } catch (error) {
    return { error: { code: -32601, message: String(error) } }
  }
}
