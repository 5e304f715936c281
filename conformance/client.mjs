/**
 * The client under test runs one scenario after another. All scenarios and revisions run the same code; they differ only in
 * the calls. The arguments are two named pipes: each request is the scenario, the URL of the server and the context, in a
 * line each; each result is an exit code and the reason of a failure. After an empty request nothing may keep the process
 * running.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { inspect } from 'node:util'
import { HttpTransport, McpClient } from '@toolbridge/client'
import { authorizationFor } from './authorization.mjs'
import { listSkills, readSkill, readSkillFile, SKILLS_EXTENSION } from '@toolbridge/client/skills'

/**
 * @typedef {{ name: string, arguments: Record<string, unknown> }} Call
 * @typedef {readonly import('@toolbridge/client').Tool[]} Tools
 * @typedef {import('./authorization.mjs').Context & { toolCalls?: readonly Call[] }} Context
 */

const [, , requests = '', results = ''] = process.argv

for (;;) {
  const request = await readFile(requests, 'utf8')
  if (request === '') break
  const [scenario = '', url = '', context = ''] = request.split('\n')
  const result = await runScenario(scenario, url, JSON.parse(context)).then(
    () => '0\n',
    (/** @type {unknown} */ error) => `1\n${inspect(error)}\n`,
  )
  await writeFile(results, result)
}

/**
 * @param {string} scenario
 * @param {string} url
 * @param {Context} context
 */
async function runScenario(scenario, url, context) {
  const authorization = await authorizationFor(url, context)
  const client = new McpClient(new HttpTransport({ url, authorization }), {
    clientInfo: { name: 'toolbridge-conformance', version: '0.1.0' },
    onElicitation: acceptProposal,
    extensions: { [SKILLS_EXTENSION]: {} },
  })
  try {
    await client.connect()
    const tools = await client.listTools()
    for (const call of callsOf(scenario, tools, context)) await client.callTool(call.name, call.arguments)
    if (scenario === 'http-standard-headers') await readEverything(client)
    if (scenario.startsWith('sep-2640-client-')) await useSkills(client, scenario)
  } finally {
    await client.close()
  }
}

/**
 * @param {string} name
 * @param {Tools} tools
 * @param {Context} context
 * @returns {readonly Call[]}
 */
function callsOf(name, tools, context) {
  switch (name) {
    case 'initialize':
    case 'request-metadata':
    case 'json-schema-ref-no-deref':
    case 'sep-2640-client-no-prefetch':
    case 'sep-2640-client-verify-digest':
    case 'sep-2640-client-verify-size':
    case 'sep-2640-client-verify-frontmatter':
      return []
    case 'tools_call':
      return [{ name: 'add_numbers', arguments: { a: 5, b: 3 } }]
    case 'elicitation-sep1034-client-defaults':
      return [{ name: 'test_client_elicitation_defaults', arguments: {} }]
    case 'sse-retry':
      return [{ name: 'test_reconnection', arguments: {} }]
    case 'json-schema-2020-12-preservation':
      return [
        { name: 'json_schema_echo', arguments: { schema: schemaOf(tools, 'json_schema_2020_12_tool') } },
      ]
    case 'sep-2322-client-request-state':
      return ['echo_state', 'no_state', 'unrelated', 'no_result_type'].map((suffix) => ({
        name: `test_mrtr_${suffix}`,
        arguments: {},
      }))
    case 'http-custom-headers':
      return context.toolCalls ?? []
    case 'http-invalid-tool-headers':
      return tools.map((tool) => ({ name: tool.name, arguments: { region: 'us-west1' } }))
    case 'http-standard-headers':
      return tools.map((tool) => ({ name: tool.name, arguments: {} }))
    default:
      if (name.startsWith('auth/')) return [{ name: 'test-tool', arguments: {} }]
      throw new Error(`unknown scenario ${name}`)
  }
}

/**
 * Lists the skills and, in scenarios about reading, loads each one that passes verification.
 *
 * @param {McpClient} client
 * @param {string} scenario
 */
async function useSkills(client, scenario) {
  const skills = await listSkills(client)
  if (scenario === 'sep-2640-client-no-prefetch') return
  for (const skill of skills) {
    await readSkill(client, skill)
    const files = skill.resources === 'dynamic' ? [] : skill.resources
    for (const { uri } of files) await readSkillFile(client, skill, uri)
  }
}

/** @param {McpClient} client */
async function readEverything(client) {
  for (const { uri } of await client.listResources()) await client.readResource(uri)
  for (const { name } of await client.listPrompts()) await client.getPrompt(name)
}

/**
 * @param {Tools} tools
 * @param {string} name
 */
function schemaOf(tools, name) {
  return tools.find((tool) => tool.name === name)?.inputSchema
}

/**
 * Accepts a form with its defaults, and true for booleans.
 *
 * @param {import('@toolbridge/client').ElicitRequest} request
 * @returns {Promise<import('@toolbridge/client').ElicitResult>}
 */
async function acceptProposal(request) {
  if (request.mode === 'url') return { action: 'decline' }
  const properties = Object.entries(
    /** @type {Record<string, any>} */ (request.requestedSchema['properties'] ?? {}),
  )
  const fields = properties.map(([name, field]) => [
    name,
    field.default ?? (field.type === 'boolean' ? true : undefined),
  ])
  return { action: 'accept', content: Object.fromEntries(fields.filter(([, value]) => value !== undefined)) }
}
