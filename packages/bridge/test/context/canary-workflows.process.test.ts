import type { BridgeEvent } from '@toolbridge/bridge'
import { withExecutionContext } from '@toolbridge/bridge/context'
import { canary, canaryIn } from '@toolbridge/testkit/secrets'
import { expect, onTestFinished, test } from 'vitest'
import { ownServer } from '../servers/specs.ts'
import { createTestWorkflows, session } from '../servers/workflows.ts'

const { command, args } = ownServer('parrot')

/** A toolkit whose server repeats its secret wherever it can. */
function parrot(script: readonly string[] = args): object {
  return { transportSpec: { command, args: script, env: { PARROT_ENV: canary('toolkit') } } }
}

test('a toolkit that repeats its secrets gets none of them into the journal and the notices of a workflow', async () => {
  const events: BridgeEvent[] = []
  const mcp = createTestWorkflows({
    clientOptions: () => ({ permissions: { mode: 'allow' }, journal: (event) => events.push(event) }),
  })
  onTestFinished(() => mcp.close())
  const dying = ['-e', 'console.error("no", process.env.PARROT_ENV); process.exit(3)']
  const toolkits = { parrot: parrot(), dying: parrot(dying) } as never
  await withExecutionContext({ principal: session('ada') }, () =>
    mcp.setupMCPForNode(['parrot', 'dying'], 'w', undefined, { toolkits }),
  )
  const types = new Set(events.map(({ type }) => type))
  for (const type of ['toolkit.used', 'toolkit.failed', 'tool.materialized'] as const)
    expect(types).toContain(type)
  expect(canaryIn(JSON.stringify([events, mcp.notices]))).toBeUndefined()
})
