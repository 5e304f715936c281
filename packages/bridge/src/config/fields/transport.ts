import type { ServerSpec } from '../spec/server-spec.ts'
import { quoted } from './entry-reader.ts'
import type { FieldRule } from './field-rule.ts'
import { readText } from './read-values.ts'
import { ownValue, take } from './take-field.ts'

type Transport = ServerSpec['transport']

/** Spellings of the transports in all hosts. */
const spellings: Readonly<Record<string, Transport>> = {
  stdio: 'stdio',
  STDIO: 'stdio',
  local: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  streamable_http: 'http',
  STREAMABLE_HTTP: 'http',
  remote: 'http',
  sse: 'sse',
  SSE: 'sse',
  ws: 'ws',
  websocket: 'ws',
}

type TransportWords = Partial<Readonly<Record<Transport, string>>>

/**
 * The field that names the transport. `words` maps transports to the host's names; other spellings are accepted too.
 * `alsoWritten` are words for transports that the host does not tell apart.
 */
export function transport(words: TransportWords, alsoWritten: TransportWords = {}): FieldRule {
  return {
    specFields: ['transport'],
    read: (field, entry) => {
      const value = typeof field.node.value === 'string' ? ownValue(spellings, field.node.value) : undefined
      if (value !== undefined && (value === 'stdio' || Object.hasOwn(words, value))) {
        if (entry.specFields.transport === undefined || entry.specFields.transport === value)
          entry.specFields.transport = value
        else entry.refuse(field, disagreement(quoted(field)))
        return
      }
      entry.refuse(field, {
        code: 'transport_unknown',
        message: `${quoted(field)} names an unknown transport`,
        found: 'a different word',
        expected: `one of ${Object.values(words).join(', ')}`,
        fix: `use ${Object.values(words)
          .map((word) => `"${word}"`)
          .join(' or ')}`,
      })
    },
    write: (specFields) => {
      const value = specFields.transport
      return value === undefined ? undefined : (ownValue(words, value) ?? ownValue(alsoWritten, value))
    },
  }
}

function disagreement(what: string): { code: string; message: string; fix: string } {
  return {
    code: 'transport_mismatch',
    message: `${what} names a different transport than the previous field`,
    fix: 'keep one of the two',
  }
}

/** A URL. With `impliedTransport`, the field also sets the transport: `httpUrl` means `http`. */
export function address(impliedTransport?: Transport): FieldRule {
  return {
    specFields: ['url', ...(impliedTransport === undefined ? [] : (['transport'] as const))],
    read: (field, entry) => {
      const value = readText(field, entry, quoted(field))
      if (value === undefined) return
      if (entry.specFields.url !== undefined) return entry.refuse(field, twoAddresses(quoted(field)))
      if (/^(?:unix|pipe):/i.test(value)) return entry.refuse(field, socket)
      entry.specFields.url = entry.text(field, value, 'url')
      if (impliedTransport !== undefined) entry.specFields.transport = impliedTransport
    },
    write: (specFields, writer) => {
      if (impliedTransport !== undefined && specFields.transport !== impliedTransport) return undefined
      const value = take(specFields, 'url')
      return value === undefined ? undefined : writer.text(value, 'url')
    },
  }
}

const socket = {
  code: 'url_unsupported',
  message: 'the URL is a local socket or pipe, which is not supported',
  found: 'a socket or pipe URL',
  expected: 'an http or https URL',
  fix: 'use an http or https URL',
}

function twoAddresses(what: string): {
  code: string
  message: string
  found: string
  expected: string
  fix: string
} {
  return {
    code: 'url_twice',
    message: `${what} is a second URL of the same server`,
    found: 'two URLs',
    expected: 'one URL',
    fix: 'keep one of them',
  }
}
