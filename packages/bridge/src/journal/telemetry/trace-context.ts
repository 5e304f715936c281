import {
  type Context,
  createTraceState,
  isSpanContextValid,
  type SpanContext,
  trace,
} from '@opentelemetry/api'
import type { TraceContext } from '@toolbridge/client'

const pattern = /^[\da-f]{2}-(?<traceId>[\da-f]{32})-(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?:-|$)/

/** The W3C traceparent, regardless of the host's propagator: MCP reserves a `_meta` key for it. */
export function traceparentOf(span: SpanContext): string | undefined {
  if (!isSpanContextValid(span)) return undefined
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`
}

/** The active context; the trace context of the call applies if no span is active. */
export function contextFrom(active: Context, given: TraceContext | undefined): Context {
  const { traceId, spanId, flags } = pattern.exec(given?.traceparent ?? '')?.groups ?? {}
  if (trace.getSpan(active) !== undefined || traceId === undefined || spanId === undefined) return active
  const { tracestate } = given ?? {}
  return trace.setSpanContext(active, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags ?? '0', 16),
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  })
}
