import type { Counter, Gauge, Histogram, Meter } from '@opentelemetry/api'
import type { McpCounterName } from '../sinks/counters.ts'

/** The metrics. */
export interface Instruments {
  /** Duration of requests, in seconds. */
  readonly operation: Histogram
  /** Duration of connections, in seconds. */
  readonly session: Histogram
  readonly toolTokens: Gauge
  readonly counters: Readonly<Record<McpCounterName, Counter>>
}

/** From the OpenTelemetry semantic conventions for MCP. */
const boundaries = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

export function createInstruments(meter: Meter): Instruments {
  const duration = (name: string, description: string): Histogram =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: boundaries } })
  const counter = (name: McpCounterName, unit: string): Counter => meter.createCounter(name, { unit })
  return {
    operation: duration('mcp.client.operation.duration', 'Time from sending a request to its answer'),
    session: duration('mcp.client.session.duration', 'Time for which a connection was open'),
    toolTokens: meter.createGauge('toolbridge.tools.tokens', {
      description: 'Estimated tokens of all tools that a model is shown',
      unit: '{token}',
    }),
    counters: {
      'mcp.context.toolkits_used': counter('mcp.context.toolkits_used', '{toolkit}'),
      'mcp.clients.started': counter('mcp.clients.started', '{client}'),
      'mcp.clients.failed': counter('mcp.clients.failed', '{client}'),
      'mcp.tools.materialized': counter('mcp.tools.materialized', '{tool}'),
    },
  }
}
