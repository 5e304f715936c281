import { expect, test } from 'vitest'
import { filtered, noFilter } from '../src/activity/activity-filter.tsx'
import { activityBuckets, percentile } from '../src/activity/activity-series.ts'
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

test('a filter matches the server, the outcome, and words of tool, host or error', () => {
  const one = activityEntry('1', { tool: 'a__read', server: 'a', error: 'Disk full', outcome: 'failed' })
  const other = activityEntry('2', { tool: 'b__write', server: 'b', conversation: 'Cursor' })
  const ids = (filter: Partial<typeof noFilter>): readonly string[] =>
    filtered([one, other], { ...noFilter, ...filter }).map(({ id }) => id)
  expect(ids({})).toEqual(['1', '2'])
  expect(ids({ server: 'b' })).toEqual(['2'])
  expect(ids({ outcome: 'failed' })).toEqual(['1'])
  expect(ids({ text: 'disk' })).toEqual(['1'])
  expect(ids({ text: 'cursor' })).toEqual(['2'])
})
