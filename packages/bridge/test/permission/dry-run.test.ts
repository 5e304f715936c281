import { type BridgeEvent, ConfigError } from '@toolbridge/bridge'
import {
  callsInJournal,
  describeDryRun,
  dryRun,
  dryRunInTurns,
  type PastCall,
} from '@toolbridge/bridge/permissions'
import { expect, test } from 'vitest'
import { toolUri } from '../../src/catalog/tool-uri.ts'

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

test('in turns the result is the same, and others have theirs between', async () => {
  const rules = { mode: 'ask', allow: ['mcp://files/read'], deny: ['mcp:files__read(path=/etc/**)'] } as const
  const order: string[] = []
  const others = new Promise<void>((resolve) => setImmediate(() => resolve(void order.push('others'))))
  const result = await dryRunInTurns(rules, calls)
  order.push('result')
  await others
  expect(order).toEqual(['others', 'result'])
  expect(result).toEqual(dryRun(rules, calls))
  await expect(dryRunInTurns(rules, calls, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
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

const at = new Date(0)
const origin = { principal: 'ada', conversation: 'one' }

/** A call in a journal, and what was decided about it. */
function journalOf(callId: string, verdict: 'allow' | 'deny', reason: string): readonly BridgeEvent[] {
  const names = { tool: 'files__read', server: 'files', rawName: 'read' }
  return [
    { type: 'call.started', at, callId, ...names, origin },
    { type: 'permission.decided', at, callId, tool: 'files__read', verdict, reason },
  ]
}

test.each([
  ['ask', 'allow', 'approved'],
  ['ask', 'allow', 'granted'],
  ['ask', 'deny', 'approval_refused'],
  ['ask', 'deny', 'approval_expired'],
  ['ask', 'deny', 'no_answerer'],
  ['ask', 'deny', 'cancelled'],
  ['allow', 'allow', 'rule allow mcp:*'],
  ['deny', 'deny', 'mode plan'],
] as const)('the journal tells that the verdict was %s: %s, %s', (before, verdict, reason) => {
  const call = { server: 'files', tool: 'read', name: 'files__read', principal: 'ada', verdict: before }
  expect(callsInJournal(journalOf('1', verdict, reason), [])).toEqual([call])
})

test('a call without a decision is left out, and a tool that still exists supplies its annotations', () => {
  const [undecided] = journalOf('2', 'allow', 'mode allow')
  if (undecided === undefined) throw new Error('there is no event')
  const annotations = { readOnlyHint: true }
  const definition = { name: 'read', inputSchema: {}, annotations }
  const tool = { server: 'files', rawName: 'read', name: 'x', plainNames: [], definition }
  const tools = [{ ...tool, uri: toolUri('files', 'read') }]
  const events = [...journalOf('1', 'allow', 'mode allow'), undecided]
  expect(callsInJournal(events, tools)).toEqual([
    { server: 'files', tool: 'read', name: 'files__read', principal: 'ada', verdict: 'allow', annotations },
  ])
})
