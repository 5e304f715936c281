import type { RequestId } from '@toolbridge/client'
import type { JsonObject } from '@toolbridge/client/internal'
import type { ServerSpec } from '../config/spec/server-spec.ts'

/** Version of the format. Increased when older readers would misread a file. */
export const cassetteVersion = 1

/** The era of a recorded connection. */
export type RecordedEra = 'legacy' | 'modern'

/** A recorded JSON-RPC message, without secrets. */
export interface RecordedMessage {
  /** Whether the client sent or received it. */
  readonly direction: 'sent' | 'received'
  /** The message. Untrusted. */
  readonly message: JsonObject
  /** Id of the client's request on whose stream it arrived (Streamable HTTP). */
  readonly request?: RequestId
}

/** One recorded connection to a server. */
export interface RecordedConnection {
  /** Transport of the server's definition. */
  readonly transport: ServerSpec['transport']
  /** Undefined if the recording ended before the era was known. */
  readonly era: RecordedEra | undefined
  /** Revision of the protocol, such as `2025-11-25`. */
  readonly protocolVersion: string | undefined
  /** All messages in their order. */
  readonly messages: readonly RecordedMessage[]
}

/** A server of a cassette. */
export interface RecordedServer {
  /** Name of the server in the configuration. */
  readonly name: string
  /** Its connections in the order in which they were opened. */
  readonly connections: readonly RecordedConnection[]
}

/** Recorded traffic with servers. */
export interface Cassette {
  /** The file, for messages. */
  readonly file: string
  /** Time of the first recording, in ISO 8601. */
  readonly recordedAt: string
  /** The servers in the order in which they were first reached. */
  readonly servers: readonly RecordedServer[]
  /** Whether the last line is incomplete, as after a crash. That line is ignored. */
  readonly isTruncated: boolean
}

/** A line of the file. The first is a `cassette`; a connection is announced before its messages. */
export type CassetteLine =
  | { readonly type: 'cassette'; readonly version: number; readonly recordedAt: string }
  | {
      readonly type: 'connection'
      readonly connection: number
      readonly server: string
      readonly transport: ServerSpec['transport']
    }
  | {
      readonly type: 'era'
      readonly connection: number
      readonly era: RecordedEra
      readonly protocolVersion: string
    }
  | (RecordedMessage & { readonly type: 'message'; readonly connection: number })

/** A cassette cannot be used. The message names the file, the line and the reason. */
export class CassetteError extends Error {
  override readonly name = 'CassetteError'
  readonly code = 'cassette_invalid'
  /** The file. */
  readonly file: string
  /** The line, from 1. Undefined if the file as a whole is the problem. */
  readonly line: number | undefined

  constructor(reason: string, { file, line }: { readonly file: string; readonly line?: number | undefined }) {
    super(`${line === undefined ? file : `${file}:${line}`}: ${reason}`)
    this.file = file
    this.line = line
  }
}
