/** One workflow node that serves two users at once. Each sees the tools of their own toolkit only. */
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { withExecutionContext } from '@toolbridge/bridge/context'
import { createWorkflowMCP } from '@toolbridge/bridge/workflow'

const program = (name) =>
  fileURLToPath(new URL(`../../packages/testkit/dist/servers/${name}.js`, import.meta.url))

const mcp = createWorkflowMCP({
  local: 'refused', // every invocation belongs to a user of the platform
  clientOptions: () => ({ permissions: { mode: 'allow' } }),
  onNotice: () => {}, // the toolkit that the other user has is reported as missing
})
const setUpNode = () => mcp.setupMCPForNode(['hello', 'elicit'], 'greeting@1')

/** Runs `use` with the tools that the node gets for this user, who has one toolkit. */
function asUser(id, toolkit, use) {
  const transport = { kind: 'stdio', spec: { command: process.execPath, args: [program(toolkit)] } }
  const context = { principal: { id, kind: 'session' }, mcp: { toolkits: { [toolkit]: { transport } } } }
  return withExecutionContext(context, async () => use(await setUpNode()))
}

try {
  const [ada, bob] = await Promise.all([
    asUser('ada', 'hello', async (tools) => {
      const { content } = await tools.hello.execute({ name: 'Ada' }, { toolCallId: '1', messages: [] })
      return { names: Object.keys(tools), missing: mcp.reportOf(tools).missing, text: content[0].text }
    }),
    asUser('bob', 'elicit', async (tools) => ({
      names: Object.keys(tools),
      missing: mcp.reportOf(tools).missing,
    })),
  ])
  assert.deepEqual(ada, { names: ['hello', 'repeat'], missing: ['elicit'], text: 'Hello, Ada!' })
  assert.deepEqual(bob, { names: ['greet_me', 'order_pizza', 'whoami_slow'], missing: ['hello'] })
  await assert.rejects(setUpNode(), 'outside of an execution context there is no user')
  console.log('ada:', ada.names.join(', '))
  console.log('bob:', bob.names.join(', '))
} finally {
  await mcp.close()
}
