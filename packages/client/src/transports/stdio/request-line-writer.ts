import type { RequestId } from '../../jsonrpc/jsonrpc.ts'
import { withMeta } from '../../jsonrpc/request-meta.ts'
import type { RequestOptions } from '../../jsonrpc/transport.ts'

/** The parameters of most requests. */
interface ToolCallParams {
  readonly name: string
  readonly arguments: unknown
}

/**
 * Writes requests as lines of JSON. A tool call is assembled by hand, which costs markedly less than serializing the
 * whole message. The text of the last tool name is reused: consecutive calls mostly go to the same tool.
 */
export class RequestLineWriter {
  #name = ''
  #nameText = '"name":"","arguments":'

  write(id: RequestId, method: string, params: object | undefined, options: RequestOptions): string {
    const start = `{"jsonrpc":"2.0","id":${textOf(id)},"method":`
    if (options.trace === undefined && method === 'tools/call' && isPlainToolCall(params)) {
      const given = JSON.stringify(params.arguments)
      const meta = options.onProgress === undefined ? '' : `"_meta":{"progressToken":${textOf(id)}},`
      return `${start}"tools/call","params":{${meta}${this.#textOfName(params.name)}${given}}}\n`
    }
    const whole = withMeta(params, options, id)
    const rest = whole === undefined ? '' : `,"params":${JSON.stringify(whole)}`
    return `${start}${JSON.stringify(method)}${rest}}\n`
  }

  #textOfName(name: string): string {
    if (name !== this.#name) {
      this.#name = name
      this.#nameText = `"name":${JSON.stringify(name)},"arguments":`
    }
    return this.#nameText
  }
}

/** Whether the parameters are only a name and arguments, both written as they are. */
function isPlainToolCall(params: object | undefined): params is ToolCallParams {
  if (!isPlainObject(params)) return false
  const keys = Object.keys(params)
  if (keys.length !== 2 || keys[0] !== 'name' || keys[1] !== 'arguments') return false
  const { name, arguments: given } = params as Partial<ToolCallParams>
  return typeof name === 'string' && isPlainObject(given)
}

/** Whether a value is an object without its own serialization. */
function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value)
}

function textOf(id: RequestId): string | number {
  return typeof id === 'number' ? id : JSON.stringify(id)
}
