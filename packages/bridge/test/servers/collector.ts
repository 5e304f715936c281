import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { firstLineOf } from '@toolbridge/testkit/programs'
import { look } from '@toolbridge/testkit/secrets'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code?: number; readonly message?: string }
  readonly attributes: Readonly<Record<string, string | number>>
  readonly scope: { readonly name: string }
}

interface Point {
  readonly value?: number
  readonly count?: number
  readonly sum?: number
  readonly attributes: readonly { readonly key: string; readonly value: { readonly value: unknown } }[]
}

export interface ReceivedMetric {
  readonly name: string
  readonly unit: string
  readonly sum?: { readonly points: readonly Point[] }
  readonly gauge?: { readonly points: readonly Point[] }
  readonly histogram?: { readonly points: readonly Point[] }
}

interface Received {
  readonly spans: readonly ReceivedSpan[]
  readonly metrics: readonly ReceivedMetric[]
}

/** A collector in a process of its own. */
export interface Collector extends AsyncDisposable {
  readonly url: string
  received(): Promise<Received>
}

export async function startCollector(): Promise<Collector> {
  const program = fileURLToPath(new URL('otlp-collector.mjs', import.meta.url))
  const child = spawn(process.execPath, [program], { stdio: 'pipe' })
  const port = await firstLineOf(child)
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    async received() {
      const response = await fetch(`${url}/received`)
      const text = await response.text()
      look('spans', text)
      return JSON.parse(text) as Received
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

/** The points of a metric with their attributes as a record. */
export function pointsOf(
  metrics: readonly ReceivedMetric[],
  name: string,
): readonly (Omit<Point, 'attributes'> & { readonly attributes: Readonly<Record<string, unknown>> })[] {
  const found = metrics.findLast((metric) => metric.name === name)
  const { points = [] } = found?.histogram ?? found?.sum ?? found?.gauge ?? {}
  return points.map(({ attributes, ...point }) => ({
    ...point,
    attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, value.value])),
  }))
}
