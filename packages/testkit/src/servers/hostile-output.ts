import { flags } from './hostile-flags.ts'

/** Sends a response, in the form that the flags select. */
export function answer(id: number, method: string | undefined, result: object): void {
  const isCall = method === 'tools/call'
  if (isCall && flags['null-ids']) {
    return write({ jsonrpc: '2.0', id: null, error: { code: -32_603, message: 'which call was it?' } })
  }
  const message = { jsonrpc: '2.0', id: answeredId(id, isCall), result }
  write(message)
  if (flags['answers-twice']) write(message)
}

function answeredId(id: number, isCall: boolean): number | string {
  if (isCall && flags['wrong-ids']) return id + 1_000
  return flags['string-ids'] ? String(id) : id
}

/** Output before the response of a tool call. */
export function makeNoise(): void {
  if (flags.flood) flood()
  if (flags['huge-line'] !== undefined) writeHugeLine(Number(flags['huge-line']))
}

function write(message: object): void {
  const text = JSON.stringify(message)
  if (!flags.garbage) return void process.stdout.write(`${text}\n`)
  process.stdout.write('Server ready: listening…\n\n{"jsonrpc":"2.0","id":\n[1,2\n"a string"\n{}\n')
  // Split in the middle of the line, with CRLF.
  const bytes = Buffer.from(`${text}\r\nDEBUG done\n`)
  const middle = Math.floor(text.length / 2)
  process.stdout.write(bytes.subarray(0, middle))
  setImmediate(() => process.stdout.write(bytes.subarray(middle)))
}

function flood(): void {
  for (let count = 0; count < 10_000; count++) {
    write({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'debug', data: `noise ${count}` },
    })
  }
}

function writeHugeLine(bytes: number): void {
  process.stdout.write(Buffer.alloc(bytes, 'x'))
  process.stdout.write('\n')
}

/** Writes endlessly, with backpressure. */
export function floodStderr(): void {
  while (process.stderr.write(`${'still going '.repeat(500)}\n`)) continue
  process.stderr.once('drain', () => setImmediate(floodStderr))
}
