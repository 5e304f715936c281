import type { RequestId } from '../../jsonrpc/jsonrpc.ts'
import { withMeta } from '../../jsonrpc/request-meta.ts'
import type { RequestOptions } from '../../jsonrpc/transport.ts'

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
  if (!isWritten(params)) return false
  const keys = Object.keys(params)
  if (keys.length !== 2 || keys[0] !== 'name' || keys[1] !== 'arguments') return false
  const { name, arguments: given } = params as Partial<PlainCall>
  return typeof name === 'string' && isWritten(given)
}

/** Not something that says by itself how it is written, if at all. */
function isWritten(value: unknown): value is object {
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
