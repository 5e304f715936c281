import { isJsonObject } from './json.ts'
import type { RequestId } from './jsonrpc.ts'
import type { Progress, RequestOptions, TraceContext } from './transport.ts'

/** Adds to a request's parameters what travels in `_meta`: the progress token, if progress is wanted, and the trace. */
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
  // On the path of every call that wants progress: this order is markedly quicker to build and to write out.
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

/** Reads `notifications/progress`; undefined if it does not say which request progressed, or how far. */
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
