import type { RequestId } from '../jsonrpc.ts'
import { withMeta } from '../meta.ts'
import type { RequestOptions } from '../transport.ts'

/** What stands between the id and the parameters of most requests. */
const CALL = ',"method":"tools/call","params":'

/**
 * A request as a line. All but its parameters is put together by hand, from as few pieces as can be: to have the whole
 * written out costs markedly more.
 */
export function requestLine(
  id: RequestId,
  method: string,
  params: object | undefined,
  options: RequestOptions,
): string {
  const start = `{"jsonrpc":"2.0","id":${textOf(id)}`
  const middle = method === 'tools/call' ? CALL : `,"method":${JSON.stringify(method)},"params":`
  if (isTokenWanted(params, options)) {
    const text = JSON.stringify(params)
    if (text.startsWith('{"'))
      return `${start}${middle}{"_meta":{"progressToken":${textOf(id)}},${text.slice(1)}}\n`
  }
  const whole = withMeta(params, options, id)
  if (whole === undefined) return `${start},"method":${JSON.stringify(method)}}\n`
  return `${start}${middle}${JSON.stringify(whole)}}\n`
}

/** A progress token is all that travels in `_meta`. */
function isTokenWanted(params: object | undefined, { onProgress, trace }: RequestOptions): boolean {
  return onProgress !== undefined && trace === undefined && params !== undefined && !('_meta' in params)
}

function textOf(id: RequestId): string | number {
  return typeof id === 'number' ? id : JSON.stringify(id)
}
