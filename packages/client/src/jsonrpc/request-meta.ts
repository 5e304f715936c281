import { isJsonObject } from './json.ts'
import type { RequestId } from './jsonrpc.ts'
import type { Progress, RequestOptions, TraceContext } from './transport.ts'

/** Adds the progress token, if progress is requested, and the trace context to `_meta`. */
export function withMeta(
  params: object | undefined,
  options: RequestOptions,
  progressToken: RequestId,
): object | undefined {
  return options.onProgress === undefined && options.trace === undefined
    ? params
    : addMeta(params, options, progressToken)
}

function addMeta(params: object | undefined, options: RequestOptions, progressToken: RequestId): object {
  // On the path of every call with progress: this order is faster to build and to serialize.
  if (options.trace === undefined && (params === undefined || !('_meta' in params))) {
    return { _meta: { progressToken }, ...params }
  }
  const own = isJsonObject(params) && isJsonObject(params['_meta']) ? params['_meta'] : {}
  const token = options.onProgress === undefined ? {} : { progressToken }
  return { ...params, _meta: { ...own, ...traceOnWire(options.trace), ...token } }
}

function traceOnWire(trace: TraceContext = {}): TraceContext {
  const { sessionId: _session, requestId: _request, callId: _call, ...travelling } = trace
  return travelling
}

/** Parses `notifications/progress`. Undefined if it has no numeric progress. */
export function readProgress(params: unknown): { token: unknown; progress: Progress } | undefined {
  if (!isJsonObject(params) || typeof params['progress'] !== 'number') return undefined
  const { progressToken: token, progress, total, message } = params
  return {
    token,
    progress: {
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    },
  }
}
