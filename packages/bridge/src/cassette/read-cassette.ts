import { readFile } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '@toolbridge/client/internal'
import {
  type Cassette,
  CassetteError,
  cassetteVersion,
  type RecordedConnection,
  type RecordedEra,
  type RecordedMessage,
  type RecordedServer,
} from './cassette.ts'

/** Reads a cassette from a file. Rejects with a `CassetteError` if it cannot be used. */
export async function readCassette(file: string): Promise<Cassette> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    const reason = code === 'ENOENT' ? 'there is no such file' : code
    throw new CassetteError(`cannot read the cassette: ${reason}`, { file })
  })
  return parseCassette(text, file)
}

/** Parses the text of a cassette. Throws a `CassetteError` if it cannot be used. `file`: its name in messages. */
export function parseCassette(text: string, file: string): Cassette {
  const reader = new CassetteReader(file)
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  lines.forEach((line, index) => reader.read(line, index + 1))
  const isTruncated = last !== '' && parseObject(last) === undefined
  if (last !== '' && !isTruncated) reader.read(last, lines.length + 1)
  return reader.finish(isTruncated)
}

interface OpenConnection extends RecordedConnection {
  era: RecordedEra | undefined
  protocolVersion: string | undefined
  readonly messages: RecordedMessage[]
}

interface OpenServer extends RecordedServer {
  readonly connections: OpenConnection[]
}

class CassetteReader {
  readonly #file: string
  readonly #servers = new Map<string, OpenServer>()
  readonly #connections = new Map<unknown, OpenConnection>()
  #recordedAt: string | undefined
  #line = 0

  constructor(file: string) {
    this.#file = file
  }

  read(text: string, line: number): void {
    this.#line = line
    const entry =
      parseObject(text) ??
      this.#fail(text.trim() === '' ? 'the line is empty' : 'the line is not a JSON object')
    if (this.#recordedAt === undefined) return this.#readHeader(entry)
    if (entry['type'] === 'connection') this.#readConnection(entry)
    else if (entry['type'] === 'era') this.#readEra(entry)
    else if (entry['type'] === 'message') this.#readMessage(entry)
    else this.#fail(`"type" is ${shown(entry['type'])}; expected "connection", "era" or "message"`)
  }

  finish(isTruncated: boolean): Cassette {
    if (this.#recordedAt === undefined) throw new CassetteError('the cassette is empty', { file: this.#file })
    return {
      file: this.#file,
      recordedAt: this.#recordedAt,
      servers: [...this.#servers.values()],
      isTruncated,
    }
  }

  #readHeader({ type, version, recordedAt }: JsonObject): void {
    if (type !== 'cassette') this.#fail('not a cassette: the first line must have "type": "cassette"')
    if (version !== cassetteVersion)
      this.#fail(`version ${shown(version)} of the format is not supported; expected ${cassetteVersion}`)
    this.#recordedAt = typeof recordedAt === 'string' ? recordedAt : ''
  }

  /** A number is used again if a recording was continued. */
  #readConnection({ connection, server, transport }: JsonObject): void {
    if (typeof server !== 'string') return this.#fail('"server" must be the name of a server')
    const known = transports.find((each) => each === transport)
    if (known === undefined)
      return this.#fail(`"transport" is ${shown(transport)}; expected one of ${transports.join(', ')}`)
    const opened = { transport: known, era: undefined, protocolVersion: undefined, messages: [] }
    this.#connections.set(connection, opened)
    const of = this.#servers.get(server) ?? { name: server, connections: [] }
    of.connections.push(opened)
    this.#servers.set(server, of)
  }

  #readEra({ connection, era, protocolVersion }: JsonObject): void {
    if (era !== 'legacy' && era !== 'modern')
      return this.#fail(`"era" is ${shown(era)}; expected "legacy" or "modern"`)
    const of = this.#connection(connection)
    of.era = era
    of.protocolVersion = typeof protocolVersion === 'string' ? protocolVersion : undefined
  }

  #readMessage({ connection, direction, message, request }: JsonObject): void {
    if (direction !== 'sent' && direction !== 'received')
      return this.#fail(`"direction" is ${shown(direction)}; expected "sent" or "received"`)
    if (!isJsonObject(message)) return this.#fail('"message" must be a JSON-RPC message')
    const isOnStream = typeof request === 'number' || typeof request === 'string'
    this.#connection(connection).messages.push({ direction, message, ...(isOnStream ? { request } : {}) })
  }

  #connection(number: unknown): OpenConnection {
    return this.#connections.get(number) ?? this.#fail(`connection ${shown(number)} was not opened before`)
  }

  #fail(reason: string): never {
    throw new CassetteError(reason, { file: this.#file, line: this.#line })
  }
}

const transports = ['stdio', 'http', 'sse', 'ws'] as const

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 40) ?? 'missing'
}
