import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** A POST of a client. */
export interface Victim {
  readonly id: number | string
  readonly headers: IncomingHttpHeaders
  readonly path: string
  readonly response: ServerResponse
  /** Number of earlier requests with this behavior. */
  readonly count: number
  /** Value of the behaviour's flag. */
  readonly value: string
  /** Runs the tool, which is counted, and returns the answer. */
  readonly run: () => object
}

/** Handles one request. Returns true if it should get a normal response. */
export type Misbehaviour = (victim: Victim) => boolean | void

/** Misbehaviors by flag name. */
export const misbehaviours: Readonly<Record<string, Misbehaviour>> = {
  status: ({ response, value }) => void response.writeHead(Number(value)).end('<html>no</html>'),
  /** `status,seconds,times` */
  busy({ response, value, count }) {
    const [status, seconds, times] = value.split(',')
    if (count >= Number(times)) return true
    response.writeHead(Number(status), { 'retry-after': String(seconds) }).end()
    return false
  },
  /** `status,target`; `{port}` and `{path}` are those of the request. `/moved` responds normally. */
  redirect({ response, value, headers, path }) {
    const [status, target = ''] = value.split(',')
    if (path.includes('/moved')) return true
    const port = headers.host?.split(':')[1] ?? ''
    const location = target.replace('{port}', port).replace('{path}', path)
    response.writeHead(Number(status), { location }).end()
    return false
  },
  'content-type': ({ response, value, run }) =>
    void response.writeHead(200, { 'content-type': value }).end(JSON.stringify(run())),
  empty: ({ response, value }) => void response.writeHead(Number(value), json).end(),
  gzip: ({ response, run }) =>
    void response
      .writeHead(200, { ...json, 'content-encoding': 'gzip' })
      .end(gzipSync(JSON.stringify(run()))),
  'byte-order-mark': ({ response, run }) =>
    void response.writeHead(200, json).end(`\ufeff${JSON.stringify(run())}`),
  'wrong-id': ({ response, run }) =>
    void response.writeHead(200, json).end(JSON.stringify({ ...run(), id: 987_654 })),
  /** `before-headers`, `in-body` or `in-stream`; the tool has run in each case. */
  reset({ response, value, run }) {
    run()
    if (value === 'before-headers') return void response.destroy()
    if (value === 'in-stream') return void events(response).write('data: {"json', () => response.destroy())
    response.writeHead(200, { ...json, 'content-length': '1000' })
    return void response.write('{', () => response.destroy())
  },
  /** Sends endless headers, or an endless body. */
  'slow-headers': ({ response }) => drip(response, 'HTTP/1.1 200 OK\r\n', 'x-more: and more\r\n'),
  'slow-body': ({ response }) =>
    drip(response, 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{', ' '),
  'endless-headers': ({ response }) =>
    flood(response, 'HTTP/1.1 200 OK\r\n', `x-more: ${'x'.repeat(8_000)}\r\n`),
  'endless-error': ({ response }) => flood(response, 'HTTP/1.1 500 No\r\n\r\n', 'x'.repeat(8_000)),
  huge: ({ response, value }) => void response.writeHead(200, json).end(`"${'x'.repeat(Number(value))}"`),
  /** Sends the response as a stream, byte by byte. */
  split: ({ response, run }) =>
    void writeBytes(response, `: hello\r\n\r\nevent: message\r\ndata: ${JSON.stringify(run())}\r\n\r\n`),
  'drop-stream': ({ response, run }) => {
    run()
    events(response).end('data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n')
  },
}

const json = { 'content-type': 'application/json' } as const

/** Starts an event stream. */
export function events(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  return response
}

async function writeBytes(response: ServerResponse, text: string): Promise<void> {
  events(response)
  response.socket?.setNoDelay(true)
  for (const byte of Buffer.from(text)) {
    response.write(Buffer.of(byte))
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

function drip({ socket }: ServerResponse, start: string, more: string): void {
  socket?.write(start)
  const timer = setInterval(() => socket?.write(more), 20)
  socket?.on('close', () => clearInterval(timer))
}

function flood({ socket }: ServerResponse, start: string, more: string): void {
  socket?.write(start)
  const timer = setInterval(() => socket?.write(more), 1)
  socket?.on('close', () => clearInterval(timer))
}
