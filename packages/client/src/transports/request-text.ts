import type { RequestId } from '../jsonrpc.ts'
import { withMeta } from '../meta.ts'
import type { RequestOptions } from '../transport.ts'

/**
 * A request as text. Its envelope, and the progress token, are put around the parameters by hand: to have the whole written
 * out costs a third more.
 */
export function requestText(
  id: RequestId,
  method: string,
  params: object | undefined,
  options: RequestOptions,
): string {
  const head = `{"jsonrpc":"2.0","id":${quoted(id)},"method":${quoted(method)}`
  const text = paramsText(id, params, options)
  return text === undefined ? `${head}}` : `${head},"params":${text}}`
}

function paramsText(id: RequestId, params: object | undefined, options: RequestOptions): string | undefined {
  const isTokenAlone = options.onProgress !== undefined && options.trace === undefined
  if (isTokenAlone && params !== undefined && !('_meta' in params)) {
    const text = JSON.stringify(params)
    if (text.startsWith('{"')) return `{"_meta":{"progressToken":${quoted(id)}},${text.slice(1)}`
  }
  return JSON.stringify(withMeta(params, options, id))
}

function quoted(value: RequestId): string | number {
  if (typeof value === 'number') return value
  return value === 'tools/call' ? '"tools/call"' : JSON.stringify(value)
}
