import { type BridgeEvent, type BridgeOptions, openBridge } from '@toolbridge/bridge'
import { expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

const long = 'x'.repeat(40_000)

/** Calls `hello` with a long name. Resolves with the answer or the error, and the decisions in the journal. */
async function called(
  permissions: NonNullable<BridgeOptions['permissions']>,
  { name = long, ...more }: Partial<BridgeOptions> & { readonly name?: string } = {},
) {
  const events: BridgeEvent[] = []
  const journal = (event: BridgeEvent): void => void events.push(event)
  await using bridge = await openBridge({ ...permissive([inMemory('hello')]), permissions, journal, ...more })
  const outcome: unknown = await bridge.call('hello__hello', { name }).catch((error: unknown) => error)
  const decisions = events.flatMap((event) =>
    event.type === 'permission.decided' ? [[event.verdict, event.reason]] : [],
  )
  return { outcome, decisions }
}

test('a call with long arguments that a rule allows is made, and the decision is in the journal', async () => {
  const { outcome, decisions } = await called({ allow: ['mcp://hello/*(name=x**)'] })
  expect(outcome).toMatchObject({ content: [{ text: `Hello, ${long}!` }] })
  expect(decisions).toEqual([['allow', 'rule allow mcp://hello/*(name=x**)']])
})

test('one that a rule denies is not made, and the decision is in the journal once', async () => {
  const { outcome, decisions } = await called(
    { mode: 'allow', deny: ['mcp://hello/*(name=*Eve*)'] },
    { name: `${long}%45ve` },
  )
  expect(outcome).toMatchObject({ code: 'denied' })
  expect(decisions).toEqual([['deny', 'rule deny mcp://hello/*(name=*Eve*)']])
})

test('one that a rule asks about is made once a person approves it', async () => {
  const rules = { mode: 'allow', ask: ['mcp://hello/*(name=x*)'] } as const
  const answerer = { ask: async () => ({ action: 'accept' as const }) }
  const { outcome, decisions } = await called(rules, { answerer })
  expect(outcome).toMatchObject({ content: [{ text: `Hello, ${long}!` }] })
  expect(decisions).toEqual([['allow', 'approved']])
  expect((await called(rules)).decisions).toEqual([['deny', 'no_answerer']])
})
