import { type BridgeEvent, ConfigError, openBridge } from '@toolbridge/bridge'
import { callsInJournal, describeDryRun, dryRun, type PastCall } from '@toolbridge/bridge/permissions'
import { expect, test } from 'vitest'
import { inMemory } from '../servers/in-memory.ts'
import { permissive } from '../servers/specs.ts'

const calls: readonly PastCall[] = [
  { server: 'files', tool: 'read', verdict: 'allow', arguments: { path: '/etc/passwd' } },
  { server: 'files', tool: 'read', verdict: 'allow', arguments: { path: '/code/a' } },
  { server: 'files', tool: 'write', verdict: 'ask' },
  { server: 'mail', tool: 'send', name: 'mail-send', verdict: 'allow', principal: 'guest' },
  { server: 'mail', tool: 'send', name: 'mail-send', verdict: 'allow', principal: 'guest' },
]

test('rules are tried on past calls, and what they would change is told', () => {
  const rules = {
    mode: 'ask',
    allow: ['mcp://files/read'],
    deny: ['mcp:files__read(path=/etc/**)', { match: 'mcp:mail-send', principal: 'guest' }],
  } as const
  const result = dryRun(rules, calls)
  expect(result.unchangedCount).toBe(2)
  expect(result.changes.map(({ before, after }) => `${before} → ${after}`)).toEqual([
    'allow → deny',
    'allow → deny',
    'allow → deny',
  ])
  expect(describeDryRun(result)).toBe(
    [
      '2 × allow → deny  mcp://mail/send  (rule deny mcp:mail-send {"principal":"guest"})',
      '1 × allow → deny  mcp://files/read  (rule deny mcp:files__read(path=/etc/**))',
      '2 of 5 calls are unchanged',
    ].join('\n'),
  )
})

test('where a rule looks at arguments that are not known, it is said that it depends', () => {
  const call: PastCall = { server: 'files', tool: 'read', verdict: 'allow' }
  const rules = { mode: 'allow', deny: ['mcp:files__read(path=/etc/**)'] } as const
  expect(dryRun(rules, [call]).changes).toMatchObject([{ before: 'allow', after: 'depends' }])
  const stricter = { ...rules, deny: [...rules.deny, 'mcp:files__read'] }
  expect(dryRun(stricter, [call]).changes).toMatchObject([{ after: 'deny' }])
  expect(dryRun({ ...rules, deny: ['mcp:other(path=/etc/**)'] }, [call]).changes).toEqual([])
})

test('it depends on nothing where all arguments would lead to the same', () => {
  const call: PastCall = { server: 'files', tool: 'read', verdict: 'allow' }
  const looking = ['mcp:files__read(path=/etc/**)']
  expect(dryRun({ mode: 'plan', allow: looking }, [call]).changes).toMatchObject([{ after: 'deny' }])
  expect(dryRun({ mode: 'yolo', ask: looking }, [call]).changes).toEqual([])
  expect(dryRun({ mode: 'allow', allow: looking }, [call]).changes).toEqual([])
  const ofGuests = [{ match: looking[0] ?? '', principal: 'guest' }]
  expect(dryRun({ mode: 'allow', deny: ofGuests }, [{ ...call, principal: 'ada' }]).changes).toEqual([])
  expect(dryRun({ mode: 'ask', allow: looking }, [call]).changes).toMatchObject([{ after: 'depends' }])
})

test('rules that cannot be read are refused as at the start', () => {
  expect(() => dryRun({ deny: ['files'] }, calls)).toThrow(ConfigError)
})

test('the calls of a journal are those that were decided about, with what was decided', async () => {
  const events: BridgeEvent[] = []
  await using bridge = await openBridge({
    ...permissive([inMemory('hello')]),
    permissions: { mode: 'allow', ask: ['mcp://hello/hello'], deny: ['mcp://hello/repeat'] },
    journal: (event) => void events.push(event),
    answerer: { ask: async () => ({ action: 'accept', decision: 'tool' }) },
  })
  await bridge.call('hello__hello')
  await bridge.call('hello__hello')
  await bridge.call('hello__repeat', { text: 'a' }).catch(() => {})
  const found = callsInJournal(events, bridge.tools)
  expect(found).toMatchObject([
    { server: 'hello', tool: 'hello', name: 'hello__hello', principal: 'local', verdict: 'ask' },
    { tool: 'hello', verdict: 'ask' },
    { tool: 'repeat', verdict: 'deny' },
  ])
  expect(dryRun({ mode: 'yolo' }, found).changes).toHaveLength(3)
  expect(callsInJournal(events, [])).toMatchObject([{ tool: 'hello' }, { tool: 'hello' }, { tool: 'repeat' }])
})
