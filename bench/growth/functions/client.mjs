/** The functions of `@toolbridge/client` that take text. */
import * as auth from '@toolbridge/client/auth'
import * as client from '@toolbridge/client'
import * as skills from '@toolbridge/client/skills'
import * as stdio from '@toolbridge/client/stdio'
import { answeredBy } from './answering-server.mjs'

/** Node refuses longer headers. */
const maxHeader = 16_384
/** Windows refuses longer ones. */
const maxCommandLine = 32_767

/** @param {string} text */
const content = (text) => ({ content: [{ type: /** @type {const} */ ('text'), text }] })
/** @param {string} text */
const prompt = (text) => ({
  messages: [{ role: /** @type {const} */ ('user'), content: { type: /** @type {const} */ ('text'), text } }],
})
const options = /** @type {any} */ ({ redirectUrl: 'http://127.0.0.1/callback' })

/** @type {import('../take.mjs').RowsOfEntries} */
export const rows = {
  '@toolbridge/client': [
    { name: 'toText', prepare: content, take: client.toText },
    { name: 'mcpContentToResult', prepare: content, take: client.mcpContentToResult },
    { name: 'mcpPromptToMessages', prepare: prompt, take: client.mcpPromptToMessages },
    { name: 'samplingRejected', take: client.samplingRejected },
    {
      name: 'McpError',
      take: (text) => new client.McpError(text, { kind: 'peer', code: -32000 }).toString(),
    },
    {
      name: 'McpClient: name and description of a tool',
      take: (text) =>
        answeredBy({ tools: [{ name: text, description: text, inputSchema: { type: 'object' } }] }, (each) =>
          each.listTools(),
        ),
    },
    {
      name: 'McpClient: schema of a tool',
      prepare: JSON.parse,
      take: (value) =>
        answeredBy(
          { tools: [{ name: 'a', inputSchema: { type: 'object', properties: { a: { default: value } } } }] },
          (each) => each.listTools(),
        ),
    },
    {
      name: 'McpClient: text of a result',
      take: (text) => answeredBy(content(text), (each) => each.callTool('a', {})),
    },
    {
      name: 'McpClient: structured result',
      prepare: JSON.parse,
      take: (value) =>
        answeredBy({ content: [], structuredContent: { value } }, (each) => each.callTool('a', {})),
    },
    {
      name: 'McpClient: arguments',
      take: (text) => answeredBy(content('a'), (each) => each.callTool('a', { text })),
    },
    {
      name: 'McpClient: message of an error',
      take: (text) => answeredBy(new Error(text), (each) => each.callTool('a', {})),
    },
    {
      name: 'mcpToolToAgentTool',
      take: (text) =>
        answeredBy(content(text), (each) =>
          client
            .mcpToolToAgentTool(each, { name: 'a', description: text, inputSchema: { type: 'object' } })
            .execute({ text }, /** @type {any} */ ({})),
        ),
    },
  ],
  '@toolbridge/client/auth': [
    {
      name: 'readChallenge',
      limit: maxHeader,
      take: (text) => auth.readChallenge({ 'www-authenticate': text }),
    },
    {
      name: 'readChallenge: parameters',
      limit: maxHeader,
      take: (text) => auth.readChallenge({ 'www-authenticate': `Bearer scope="${text}` }),
    },
    {
      name: 'assertSafeAuthUrl',
      take: (text) => auth.assertSafeAuthUrl(`https://example.com/${text}`, 'https://example.com'),
    },
    { name: 'McpAuthError', take: (text) => new auth.McpAuthError('invalid_grant', text).toString() },
    { name: 'importSigningKey', take: (text) => auth.importSigningKey(text) },
    {
      name: 'finishMcpAuth',
      take: (text) =>
        auth.finishMcpAuth('https://example.com', text, text, { provider: auth.memoryAuthProvider(options) }),
    },
  ],
  '@toolbridge/client/skills': [
    {
      name: 'getSkill',
      take: (text) =>
        answeredBy({ contents: [{ uri: 'skill://a/SKILL.md', text }] }, (each) =>
          skills.getSkill(each, 'skill://a/SKILL.md'),
        ),
    },
    {
      name: 'readSkill',
      take: (text) =>
        answeredBy(
          {
            contents: [
              { uri: 'skill://a/SKILL.md', text: `---\nname: a\ndescription: ${text}\n---\n${text}` },
            ],
          },
          (each) =>
            skills.readSkill(
              each,
              /** @type {any} */ ({ uri: 'skill://a/SKILL.md', name: 'a', description: 'a', resources: [] }),
            ),
        ),
    },
  ],
  '@toolbridge/client/stdio': [
    { name: 'safeEnv', take: (text) => stdio.safeEnv({ PATH: text, [text]: text }, 'linux') },
    {
      name: 'windowsSpawnPlan',
      limit: maxCommandLine,
      take: (text) => stdio.windowsSpawnPlan('a.cmd', [text], { PATH: 'C:\\a', PATHEXT: '.CMD' }, () => true),
    },
    {
      name: 'windowsSpawnPlan: search path',
      take: (text) =>
        stdio.windowsSpawnPlan('a', [], { PATH: text, PATHEXT: text.slice(0, 100) }, () => false),
      limit: maxCommandLine,
    },
  ],
}
