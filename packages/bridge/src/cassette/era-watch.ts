import { isJsonObject, type JsonObject } from '@toolbridge/client/internal'
import type { RecordedEra } from './cassette.ts'

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** Finds the era of a connection in its messages. */
export class EraWatch {
  #initialize: unknown
  #isKnown = false

  /** Returns the era with the message that shows it, else undefined. */
  see(
    direction: 'sent' | 'received',
    message: JsonObject,
  ): { readonly era: RecordedEra; readonly protocolVersion: string } | undefined {
    if (this.#isKnown) return undefined
    const version = direction === 'sent' ? this.#sent(message) : this.#received(message)
    if (version === undefined) return undefined
    this.#isKnown = true
    return { era: direction === 'sent' ? 'modern' : 'legacy', protocolVersion: version }
  }

  /** The version of a request of the modern era. The probe for it does not show that the server speaks it. */
  #sent({ method, id, params }: JsonObject): string | undefined {
    if (method === 'initialize') this.#initialize = id
    if (method === 'server/discover' || !isJsonObject(params) || !isJsonObject(params['_meta']))
      return undefined
    return textOf(params['_meta'][versionKey])
  }

  #received({ id, result }: JsonObject): string | undefined {
    if (this.#initialize === undefined || id !== this.#initialize) return undefined
    return isJsonObject(result) ? textOf(result['protocolVersion']) : undefined
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
