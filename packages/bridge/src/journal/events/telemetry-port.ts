import type { TraceContext } from '@toolbridge/client'
import type { Journal } from './events.ts'

/** Follows calls from whoever makes them to the servers. `@toolbridge/bridge/telemetry` has one for OpenTelemetry. */
export interface Telemetry {
  /** Hears of every event, at once and in the asynchronous context of whoever caused it. */
  readonly journal: Journal
  /** What the server is told that a call, or another request, belongs to, which was heard of before. */
  traceOf(id: string): TraceContext | undefined
}
