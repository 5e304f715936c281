/** A server with every kind of result, and with schemas that not every model takes. */
import { overStdio } from './over-stdio.mjs'

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const nothing = { type: 'object', properties: {} }

const results = {
  picture: () => ({
    content: [
      { type: 'text', text: 'look' },
      { type: 'image', data: pixel, mimeType: 'image/png' },
    ],
  }),
  sound: () => ({ content: [{ type: 'audio', data: 'c25k', mimeType: 'audio/wav' }] }),
  mixed: () => ({
    content: [
      { type: 'text', text: 'one' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
      { type: 'resource', resource: { uri: 'file:///b', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///c.png', mimeType: 'image/png', blob: pixel } },
    ],
  }),
  broken_picture: () => ({ content: [{ type: 'image', data: pixel, mimeType: 'image/png' }], isError: true }),
  structured: ({ value }) => ({ content: [], structuredContent: { value } }),
  long: ({ characters }) => ({ content: [{ type: 'text', text: '0123456789'.repeat(characters / 10) }] }),
  echo: (args) => ({ content: [{ type: 'text', text: JSON.stringify(args) }] }),
  page: () => ({ content: [{ type: 'text', text: 'page' }], _meta: { ui: { resourceUri: 'ui://page' } } }),
}

const tools = [
  { name: 'picture', description: 'Shows a picture.', inputSchema: nothing },
  { name: 'sound', description: 'Plays a sound.', inputSchema: nothing },
  { name: 'mixed', description: 'Shows a bit of everything.', inputSchema: nothing },
  { name: 'broken_picture', description: 'Fails with a picture.', inputSchema: nothing },
  {
    name: 'structured',
    description: 'Gives back a number, or something else.',
    inputSchema: { type: 'object', properties: { value: {} } },
    outputSchema: { type: 'object', properties: { value: { type: 'number' } }, required: ['value'] },
  },
  {
    name: 'long',
    description: 'Says a long text.',
    inputSchema: {
      type: 'object',
      properties: { characters: { type: 'integer' } },
      required: ['characters'],
    },
  },
  {
    name: 'echo',
    description: 'Says what it was told.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 2 },
        when: { type: 'string', format: 'date-time' },
        filter: { anyOf: [{ $ref: '#/$defs/filter' }, { type: 'string' }] },
      },
      required: ['text'],
      additionalProperties: false,
      $defs: {
        filter: {
          type: 'object',
          properties: { field: { type: 'string' }, and: { $ref: '#/$defs/filter' } },
          required: ['field'],
          additionalProperties: false,
        },
      },
    },
  },
  {
    name: 'page',
    description: 'Shows a page.',
    inputSchema: nothing,
    _meta: { ui: { resourceUri: 'ui://page', visibility: ['model', 'app'] } },
  },
  {
    name: 'of_the_page',
    description: 'Only for the page.',
    inputSchema: nothing,
    _meta: { ui: { visibility: ['app'] } },
  },
  {
    name: 'lost',
    description: 'Refers to nowhere.',
    inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/gone' } } },
  },
]

const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {} },
    serverInfo: { name: 'gallery', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: args }) => (results[name] ?? results.echo)(args ?? {}),
  'prompts/list': () => ({ prompts: [{ name: 'describe' }] }),
  'prompts/get': () => ({
    messages: [
      { role: 'user', content: { type: 'text', text: 'What is this?' } },
      { role: 'user', content: { type: 'image', data: pixel, mimeType: 'image/png' } },
      { role: 'assistant', content: { type: 'text', text: 'A pixel.' } },
    ],
  }),
  ping: () => ({}),
}

export function serve(deliver) {
  return ({ id, method, params }) => {
    if (id !== undefined) deliver({ jsonrpc: '2.0', id, ...answerTo(method, params) })
  }
}

function answerTo(method, params) {
  try {
    return { result: answers[method](params) }
  } catch (error) {
    return { error: { code: -32601, message: String(error) } }
  }
}

overStdio(import.meta.url, serve)
