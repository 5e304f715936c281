import { paths } from '@toolbridge/api'
import { canary } from '@toolbridge/testkit/secrets'
import { afterAll, expect, test } from 'vitest'
import { Histogram } from '../src/metrics/histogram.ts'
import { prometheusText } from '../src/metrics/prometheus-text.ts'
import { bearerOf, createTestGateway } from './support/gateway.ts'
import { openFileLockbox } from './support/lockbox.ts'
import { inMemory } from './support/specs.ts'
import { untilServer } from './support/waiting.ts'

const lockbox = await openFileLockbox()
const gateway = createTestGateway({
  lockbox,
  metricsToken: canary('metrics'),
  operatorServers: [inMemory('hello')],
})
afterAll(() => gateway[Symbol.asyncDispose]())

const read = async (): Promise<string> => (await gateway.with(canary('metrics')).get(paths.metrics)).text()

/** The value of a sample, or 0 if there is none. */
function valueOf(text: string, sample: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${sample} `))
  return Number(line?.slice(sample.length + 1) ?? 0)
}

test('metrics count requests by their route, problems by their code, and calls by their outcome', async () => {
  const local = gateway.as('local')
  await untilServer(local, 'hello', 'ready')
  const before = await read()
  await local.post(paths.call, { tool: 'hello__hello' })
  await local.post(paths.call, { tool: 'nothing__at_all' })
  await local.delete(paths.key('one'))
  await local.delete(paths.key('two'))
  await gateway.app.request('/api/secret-name')
  await gateway.app.request('/somewhere/else', { method: 'BREW' })
  const after = await read()
  const gained = (sample: string): number => valueOf(after, sample) - valueOf(before, sample)
  const requests = (labels: string): number => gained(`toolbridge_http_requests_total{${labels}}`)
  expect(requests('method="POST",route="/api/tools/call",status="200"')).toBe(1)
  expect(requests('method="POST",route="/api/tools/call",status="404"')).toBe(1)
  expect(requests('method="DELETE",route="/api/keys/:id",status="404"')).toBe(2)
  expect(requests('method="GET",route="/api/*",status="401"')).toBe(1)
  expect(requests('method="other",route="/*",status="404"')).toBe(1)
  expect(gained('toolbridge_problems_total{code="unknown_key"}')).toBe(2)
  expect(gained('toolbridge_problems_total{code="unauthenticated"}')).toBe(1)
  expect(gained('toolbridge_calls_total{outcome="ok"}')).toBe(1)
  expect(gained('toolbridge_call_duration_seconds_count')).toBe(1)
  expect(after).not.toContain('secret-name')
  expect(valueOf(after, 'toolbridge_servers{state="ready"}')).toBe(1)
  expect(valueOf(after, 'toolbridge_owners_open')).toBe(1)
  expect(valueOf(after, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
})

test('metrics are in the text format of Prometheus', async () => {
  const response = await gateway.with(canary('metrics')).get(paths.metrics)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await response.text()
  expect(text.endsWith('\n')).toBe(true)
  const lines = text.slice(0, -1).split('\n')
  const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"`
  const sample = new RegExp(
    String.raw`^([a-zA-Z_:][\w:]*)(?:\{${label}(?:,${label})*\})? (?:[-+]?(?:\d[\d.e+-]*|Inf)|NaN)$`,
  )
  let family = ''
  for (const line of lines) {
    const [, declared] = /^# (?:HELP|TYPE) (\S+) \S.*$/.exec(line) ?? []
    if (declared !== undefined) family = declared
    else expect([line, sample.exec(line)?.[1]?.startsWith(family)]).toEqual([line, true])
  }
  const types = lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ')[2])
  expect(types).toEqual([...new Set(types)])
})

test('the metrics need their own token, which opens nothing else', async () => {
  for (const token of ['ada', 'local', 'host', 'owner'])
    expect(
      (await gateway.app.request(paths.metrics, { headers: { authorization: bearerOf(token) } })).status,
    ).toBe(401)
  expect((await gateway.app.request(paths.metrics)).status).toBe(401)
  for (const path of [paths.inbox, paths.mcp, paths.keys])
    expect((await gateway.with(canary('metrics')).get(path)).status).toBe(401)
})

test('monitoring reaches a gateway by any address', async () => {
  const headers = { authorization: bearerOf('metrics'), host: '10.0.0.7:4545' }
  expect((await gateway.app.request(paths.metrics, { headers })).status).toBe(200)
})

test('a gateway has no metrics by default', async () => {
  await using plain = createTestGateway({ lockbox })
  expect((await plain.with(canary('metrics')).get(paths.metrics)).status).toBe(404)
})

test('a histogram counts each value in its bucket and all larger ones', () => {
  const histogram = new Histogram([1, 2])
  for (const value of [0.5, 1, 1.5, 9]) histogram.observe(value)
  const text = prometheusText([{ name: 'd', type: 'histogram', help: 'h', samples: histogram.samples() }])
  expect(text.split('\n').slice(2, -1)).toEqual([
    'd_bucket{le="1"} 2',
    'd_bucket{le="2"} 3',
    'd_bucket{le="+Inf"} 4',
    'd_sum 12',
    'd_count 4',
  ])
})

test('values of labels are escaped', () => {
  const samples = [{ labels: { path: 'C:\\x "y"\nz' }, value: 1 }]
  expect(prometheusText([{ name: 'a', type: 'gauge', help: 'b\\c\nd', samples }])).toBe(
    '# HELP a b\\\\c\\nd\n# TYPE a gauge\na{path="C:\\\\x \\"y\\"\\nz"} 1\n',
  )
})
