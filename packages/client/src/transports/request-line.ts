import type { RequestId } from '../jsonrpc.ts'
import { withMeta } from '../meta.ts'
import type { RequestOptions } from '../transport.ts'

/** The parameters of most requests. */
interface PlainCall {
  readonly name: string
  readonly arguments: unknown
}

/** A request as a line. A plain call is put together by hand: to have it written out whole costs markedly more. */
export function requestLine(
  id: RequestId,
  method: string,
  params: object | undefined,
  options: RequestOptions,
): string {
  const start = `{"jsonrpc":"2.0","id":${textOf(id)},"method":`
  if (options.trace === undefined && method === 'tools/call' && isPlainCall(params)) {
    const given = JSON.stringify(params.arguments)
    const meta = options.onProgress === undefined ? '' : `"_meta":{"progressToken":${textOf(id)}},`
    return `${start}"tools/call","params":{${meta}${namedText(params.name)}${given}}}\n`
  }
  const whole = withMeta(params, options, id)
  const rest = whole === undefined ? '' : `,"params":${JSON.stringify(whole)}`
  return `${start}${JSON.stringify(method)}${rest}}\n`
}

/** Nothing but a name and arguments, which are written as they are. */
function isPlainCall(params: object | undefined): params is PlainCall {
  return (
    params !== undefined &&
    Object.keys(params).length === 2 &&
    'name' in params &&
    typeof params.name === 'string' &&
    'arguments' in params &&
    isWritten(params) &&
    isWritten(params.arguments)
  )
}

/** Not something that says by itself how it is written, if at all. */
function isWritten(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !('toJSON' in value)
}

const latest = { name: '', text: '"name":"","arguments":' }

/** Who makes many calls makes most of them to the same tool as the one before. */
function namedText(name: string): string {
  if (name !== latest.name) {
    latest.name = name
    latest.text = `"name":${JSON.stringify(name)},"arguments":`
  }
  return latest.text
}

function textOf(id: RequestId): string | number {
  return typeof id === 'number' ? id : JSON.stringify(id)
}
