import { expect, test } from 'vitest'
import { filtered, noFilter } from '../src/activity/activity-filter.tsx'
import { activityBuckets, percentile } from '../src/activity/activity-series.ts'
import { mergedCalls, sourceText } from '../src/activity/merge-calls.ts'
import { permissionSentence, questionSentence, shownText } from '../src/activity/trace-text.ts'
import { visibleRows } from '../src/activity/use-visible-rows.ts'
import { activityEntry } from './samples.ts'

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString()

test('calls are counted by period, with gaps, and errors apart', () => {
  const entries = [
    activityEntry('1', { at: at(0), latencyMs: 10 }),
    activityEntry('2', { at: at(0.5), latencyMs: 30, outcome: 'failed' }),
    activityEntry('3', { at: at(0.9), latencyMs: 20, outcome: 'denied' }),
    activityEntry('4', { at: at(3), latencyMs: 5, outcome: 'tool_error' }),
  ]
  const start = Date.UTC(2026, 0, 1) / 1_000
  expect(activityBuckets(entries)).toEqual([
    { at: start, calls: 3, errors: 1, medianMs: 20, p95Ms: 30 },
    { at: start + 1, calls: 0, errors: 0, medianMs: null, p95Ms: null },
    { at: start + 2, calls: 0, errors: 0, medianMs: null, p95Ms: null },
    { at: start + 3, calls: 1, errors: 1, medianMs: 5, p95Ms: 5 },
  ])
})

test('a long time has longer periods, and any time has few', () => {
  const buckets = activityBuckets([activityEntry('1', { at: at(0) }), activityEntry('2', { at: at(3_600) })])
  expect(buckets).toHaveLength(13)
  const years = activityBuckets([activityEntry('1', { at: at(0) }), activityEntry('2', { at: at(3e8) })])
  expect(years.length).toBeLessThanOrEqual(41)
  expect(years.length).toBeGreaterThanOrEqual(40)
  expect(activityBuckets([])).toEqual([])
  expect(activityBuckets([activityEntry('1', { at: 'never' })])).toEqual([])
})

test('a percentile is a value that occurred', () => {
  expect(percentile([1, 2, 3, 4], 0.5)).toBe(2)
  expect(percentile([1, 2, 3, 4], 0.95)).toBe(4)
  expect(percentile([], 0.5)).toBeNull()
})

test('a filter matches the server, the outcome, the age, and words of tool, host or error', () => {
  const one = activityEntry('1', { tool: 'a__read', server: 'a', error: 'Disk full', outcome: 'failed' })
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
  const other = activityEntry('2', { at: hourAgo, tool: 'b__write', server: 'b', host: 'Cursor' })
  const ids = (filter: Partial<typeof noFilter>): readonly string[] =>
    filtered([one, other], { ...noFilter, ...filter }, Date.now()).map(({ id }) => id)
  expect(ids({})).toEqual(['1', '2'])
  expect(ids({ server: 'b' })).toEqual(['2'])
  expect(ids({ outcome: 'failed' })).toEqual(['1'])
  expect(ids({ text: 'disk' })).toEqual(['1'])
  expect(ids({ text: 'cursor' })).toEqual(['2'])
  expect(ids({ minutes: '15' })).toEqual(['1'])
})

test('calls that arrive are merged by time, each once', () => {
  const [old, middle, latest] = [1, 2, 3].map((second) => activityEntry(`${second}`, { at: at(second) }))
  if (old === undefined || middle === undefined || latest === undefined) throw new Error('three calls')
  const known = [latest, old]
  expect(mergedCalls(known, [middle, old])).toEqual([latest, middle, old])
  expect(mergedCalls(known, [old])).toBe(known)
})

test('the source of a call is the name of its host, never the id of a session', () => {
  expect(sourceText({ host: 'Cursor', conversation: 'mcp:1' })).toBe('Cursor')
  expect(sourceText({ conversation: 'mcp:e9b6ef79' })).toBe('MCP host')
  expect(sourceText({ conversation: 'console' })).toBe('console')
})

test('only rows near the screen exist, and they change in steps', () => {
  expect(visibleRows(-300, 800, 72)).toEqual({ first: 0, last: 40 })
  expect(visibleRows(7_200, 800, 72)).toEqual({ first: 80, last: 140 })
  expect(visibleRows(7_200 + 71, 800, 72)).toEqual({ first: 80, last: 140 })
  const { first, last } = visibleRows(1e6, 800, 72)
  expect(last - first).toBeLessThanOrEqual(80)
})

test('the steps of a call are sentences', () => {
  expect(permissionSentence({ verdict: 'deny', reason: 'rule deny mcp:*' })).toBe(
    'Denied because of: rule deny mcp:*.',
  )
  expect(permissionSentence(undefined)).toBe('The call ended before anything decided about it.')
  const asked = { kind: 'approval', askedAt: at(0) } as const
  expect(questionSentence(asked)).toBe('Your approval was asked for, and it was not answered.')
  expect(questionSentence({ ...asked, answeredAt: at(2), action: 'accept' })).toBe(
    'Your approval was asked for, and it was accepted after 2 s.',
  )
  expect(shownText({ text: '{"a":1}', omitted: 0 })).toBe('{\n  "a": 1\n}')
  expect(shownText({ text: '{"a":"xx', omitted: 5 })).toBe('{"a":"xx')
})
