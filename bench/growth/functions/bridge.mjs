/** The functions of `@toolbridge/bridge` that take text: of people, servers and models. */
import * as agentApps from '@toolbridge/bridge/agent-apps'
import * as bridge from '@toolbridge/bridge'
import * as catalog from '@toolbridge/bridge/catalog'
import * as cassette from '@toolbridge/bridge/cassette'
import * as permissions from '@toolbridge/bridge/permissions'
import * as questions from '@toolbridge/bridge/questions'
import * as typescript from '@toolbridge/bridge/typescript'
import * as aiSdk from '@toolbridge/bridge/ai-sdk'
import * as anthropic from '@toolbridge/bridge/anthropic'
import * as google from '@toolbridge/bridge/google'
import * as openai from '@toolbridge/bridge/openai'
import * as context from '@toolbridge/bridge/context'

/** @param {string} text */
const content = (text) => ({ content: [{ type: /** @type {const} */ ('text'), text }] })
/** @param {string} text */
const prompt = (text) => ({
  messages: [{ role: /** @type {const} */ ('user'), content: { type: /** @type {const} */ ('text'), text } }],
})
const inline = bridge.readConfig(JSON.stringify({ mcpServers: { files: { command: 'files' } } }), {
  file: 'mcp.json',
  dialect: 'mcp-servers',
}).servers[0]

/**
 * A call of a tool of a server over stdio.
 *
 * @param {object} rules
 * @param {Record<string, unknown>} args
 */
function explained(rules, args) {
  if (inline === undefined) throw new TypeError('the server is not read')
  return permissions.explainPermission(rules, {
    server: inline,
    tool: 'read',
    name: 'files__read',
    arguments: args,
    annotations: {},
    principal: 'me',
    authority: { kind: 'session' },
  })
}

/** @param {string} text */
const form = (text) => ({
  id: '1',
  origin: { principal: 'me', conversation: 'a' },
  server: 'files',
  kind: /** @type {const} */ ('form'),
  message: text,
  schema: { type: 'object', properties: { a: { type: 'string', description: text } } },
})

/** @type {import('../take.mjs').RowsOfEntries} */
export const rows = {
  '@toolbridge/bridge': [
    { name: 'toText', prepare: content, take: bridge.toText },
    { name: 'UnknownToolError', take: (text) => new bridge.UnknownToolError(text).toString() },
  ],
  '@toolbridge/bridge/catalog': [
    { name: 'estimateTokens', take: catalog.estimateTokens },
    { name: 'mayHaveTool', take: (text) => catalog.mayHaveTool({ ...inline, name: text }, text) },
    { name: 'toolUri', take: (text) => catalog.toolUri(text, text) },
  ],
  '@toolbridge/bridge/cassette': [
    { name: 'parseCassette', take: (text) => cassette.parseCassette(text, 'a') },
    {
      name: 'parseCassette: messages',
      take: (text) => {
        const lines = [
          { type: 'cassette', version: 1, recordedAt: '' },
          { type: 'connection', connection: 1, server: 'a', transport: 'stdio' },
          { type: 'message', connection: 1, direction: 'sent', message: { text } },
        ]
        return cassette.parseCassette(lines.map((line) => JSON.stringify(line)).join('\n'), 'a')
      },
    },
  ],
  '@toolbridge/bridge/permissions': [
    {
      name: 'callsInJournal',
      prepare: (text) => [{ type: 'call', server: text, tool: text, message: text }],
      take: (events) => permissions.callsInJournal(events, []),
    },
    {
      name: 'checkPermissions',
      take: (text) => permissions.checkPermissions({ deny: [`mcp://files/read(path=${text})`] }),
      limit: 100_000,
    },
    {
      name: 'checkPermissions: rules',
      prepare: JSON.parse,
      take: (value) => permissions.checkPermissions({ deny: value }),
    },
    { name: 'checkPermissions: shape', prepare: JSON.parse, take: permissions.checkPermissions },
    {
      name: 'describeDryRun',
      take: (text) =>
        permissions.describeDryRun(
          permissions.dryRun({ mode: 'plan' }, [{ server: text, tool: text, verdict: 'allow' }]),
        ),
    },
    { name: 'describeRules', take: (text) => permissions.describeRules({ deny: [text] }, []) },
    {
      name: 'dryRun',
      take: (text) =>
        permissions.dryRun({ deny: ['mcp://files/read(path=/etc/**)'] }, [
          { server: 'files', tool: 'read', arguments: { path: text }, verdict: 'allow' },
        ]),
    },
    {
      name: 'dryRunInTurns',
      take: (text) =>
        permissions.dryRunInTurns({ deny: ['mcp://files/read(path=/etc/**)'] }, [
          { server: 'files', tool: 'read', arguments: { path: text }, verdict: 'allow' },
        ]),
    },
    {
      name: 'explainPermission: denied path',
      take: (text) => explained({ deny: ['mcp://files/read(path=/etc/**)'] }, { path: text }),
    },
    {
      name: 'explainPermission: allowed path',
      take: (text) => explained({ allow: ['mcp://files/read(path=out/*)'] }, { path: text }),
    },
    {
      name: 'explainPermission: stars',
      take: (text) => explained({ deny: ['mcp://files/read(p=*a*a*a*a*a*b)'] }, { p: text }),
    },
    {
      name: 'explainPermission: twenty rules',
      take: (text) =>
        explained(
          { deny: Array.from({ length: 20 }, (_, index) => `mcp://files/read(path=/etc/${index}/**)`) },
          { path: text },
        ),
    },
    {
      name: 'explainPermission: other argument',
      take: (text) => explained({ deny: ['mcp://files/read(path=/etc/**)'] }, { text, path: 'a' }),
    },
    {
      name: 'explainPermission: name of an argument',
      take: (text) => explained({ deny: ['mcp://files/read(path=/etc/**)'] }, { [text]: 'a' }),
    },
    {
      name: 'explainPermission: value',
      prepare: JSON.parse,
      take: (value) => explained({ deny: ['mcp://files/read(path=/etc/**)'] }, { path: value, value }),
    },
    { name: 'permissionFilesBeside', take: permissions.permissionFilesBeside },
    { name: 'readPermissions', take: (text) => permissions.readPermissions(text, { file: 'a.json' }) },
    {
      name: 'readPermissions: rule',
      take: (text) =>
        permissions.readPermissions(JSON.stringify({ permissions: { deny: [text] }, deny: [text] }), {
          file: 'a.json',
        }),
    },
  ],
  '@toolbridge/bridge/questions': [
    {
      name: 'checkAnswer',
      take: (text) =>
        questions.checkAnswer(
          {
            type: 'object',
            properties: {
              a: { type: 'string', format: 'email' },
              b: { type: 'string', format: 'uri' },
              c: { type: 'string', format: 'date-time' },
            },
          },
          { a: text, b: text, c: text },
        ),
    },
    {
      name: 'checkAnswer: schema',
      take: (text) =>
        questions.checkAnswer(
          { type: 'object', properties: { [text]: { type: 'string', title: text, description: text } } },
          { [text]: text },
        ),
    },
    {
      name: 'checkAnswer: choices',
      prepare: (text) => Array.from({ length: text.length / 8 }, (_, index) => `c${index}`),
      take: (choices) =>
        questions.checkAnswer(
          {
            type: 'object',
            properties: { a: { type: 'array', items: { type: 'string', enum: choices.slice(0, 1_000) } } },
          },
          { a: choices },
        ),
    },
    {
      name: 'destinationChange',
      take: (text) =>
        questions
          .destinationChange(
            { server: text, id: text, principal: 'me' },
            /** @type {any} */ ({ kind: 'url', target: text }),
            /** @type {any} */ ({ kind: 'url', target: `${text}a` }),
          )
          ?.toString(),
    },
    { name: 'shownQuestion', prepare: form, take: questions.shownQuestion },
  ],
  '@toolbridge/bridge/context': [
    { name: 'readToolkits', prepare: JSON.parse, take: context.readToolkits },
    {
      name: 'readToolkits: text',
      take: (text) =>
        context.readToolkits({
          [text]: { name: text, transport: { type: 'stdio', command: text, args: [text] } },
        }),
    },
  ],
  '@toolbridge/bridge/agent-apps': [
    { name: 'pathGet', take: (text) => agentApps.pathGet({ a: { b: 1 } }, text) },
  ],
  '@toolbridge/bridge/typescript': [
    { name: 'withoutTypes', take: typescript.withoutTypes },
    {
      name: 'withoutTypes: types',
      take: (text) => typescript.withoutTypes(`const a: string = 'b'\n//${text}\nconst c: {${text}`),
    },
  ],
  '@toolbridge/bridge/ai-sdk': [{ name: 'aiSdkMessages', prepare: prompt, take: aiSdk.aiSdkMessages }],
  '@toolbridge/bridge/anthropic': [
    { name: 'anthropicMessages', prepare: prompt, take: anthropic.anthropicMessages },
  ],
  '@toolbridge/bridge/google': [{ name: 'googleContents', prepare: prompt, take: google.googleContents }],
  '@toolbridge/bridge/openai': [
    { name: 'openaiChatMessages', prepare: prompt, take: openai.openaiChatMessages },
    { name: 'openaiInput', prepare: prompt, take: openai.openaiInput },
  ],
}
