import { onDemand } from '../features/load.ts'
import { McpError } from '../jsonrpc.ts'
import type { ServerDescription } from '../model/capability.ts'
import type { McpTransport, RequestOptions } from '../transport.ts'
import type { ClientHost, RevisionCodec } from './codec.ts'
import { describe, type Discovery } from './discover.ts'
import { fresh, type Verdict } from './era.ts'
import { LegacyCodec } from './legacy.ts'
import { ModernCodec } from './modern.ts'
import { Prober } from './probe.ts'
import { ModernErrorCode, supportedIn } from './refused-version.ts'
import { mutualVersions } from './versions.ts'

/** Starts the transport and opens the conversation in a revision that both sides speak: the one who speaks it. */
export async function negotiate(
  transport: McpTransport,
  host: ClientHost,
  options: RequestOptions,
): Promise<RevisionCodec> {
  const negotiation = new Negotiation(transport, host, options)
  await negotiation.start()
  switch (host.era) {
    case 'legacy':
      return negotiation.shakeHands()
    case '2026-07-28':
      return negotiation.insistOnModern()
    default:
      return negotiation.findOut()
  }
}

class Negotiation {
  readonly #transport: McpTransport
  readonly #host: ClientHost
  readonly #options: RequestOptions
  readonly #prober: Prober
  readonly #legacy: LegacyCodec

  constructor(transport: McpTransport, host: ClientHost, options: RequestOptions) {
    this.#transport = transport
    this.#host = host
    this.#options = options
    this.#prober = new Prober(transport, host)
    this.#legacy = new LegacyCodec(transport, host)
  }

  /** A server with a handshake may ask for a sign of life from the start, so its codec is there from the start. */
  async start(): Promise<void> {
    this.#transport.setHandlers(this.#legacy)
    await this.#transport.start()
  }

  /** Asks the server which era it speaks, unless that is known. */
  async findOut(): Promise<RevisionCodec> {
    const { eraCache, eraKey = '' } = this.#host
    const known = fresh(eraCache?.get(eraKey), Date.now())
    if (known?.era === 'modern') return this.#modern(known.description)
    if (known?.era === 'legacy') return this.#shakeHandsOrMoveOn()
    const finding = await this.#prober.find(this.#options)
    if (finding.era === 'modern') return this.#remembered(finding.discovery, finding.version)
    if (finding.isGone) await this.#transport.restart?.()
    return this.#shakeHandsOrMoveOn()
  }

  async shakeHands(): Promise<RevisionCodec> {
    await this.#legacy.open(this.#options)
    return this.#legacy
  }

  async insistOnModern(cause?: unknown): Promise<RevisionCodec> {
    const finding = await this.#prober.find(this.#options)
    if (finding.era === 'modern') return this.#remembered(finding.discovery, finding.version)
    throw (await onDemand()).notModern(finding.cause ?? cause)
  }

  /** A server without a handshake may have been taken for one that has it. */
  async #shakeHandsOrMoveOn(): Promise<RevisionCodec> {
    try {
      await this.#legacy.open(this.#options)
      this.#remember({ era: 'legacy', at: Date.now() })
      return this.#legacy
    } catch (error) {
      if (!isRefusedHandshake(error)) throw error
      return this.insistOnModern(error)
    }
  }

  #remembered(discovery: Discovery, version: string): RevisionCodec {
    const description = describe(discovery, version)
    this.#remember({ era: 'modern', at: Date.now(), description, ttlMs: discovery.ttlMs })
    return this.#modern(description)
  }

  #modern(description: ServerDescription): RevisionCodec {
    const codec = new ModernCodec(this.#transport, this.#host, description)
    this.#transport.setHandlers(codec)
    return codec
  }

  #remember(verdict: Verdict): void {
    this.#host.eraCache?.set(this.#host.eraKey ?? '', verdict)
  }
}

function isRefusedHandshake(error: unknown): boolean {
  if (!(error instanceof McpError) || error.kind !== 'peer') return false
  if (error.code === ModernErrorCode.HeaderMismatch) return true
  return (
    error.code === ModernErrorCode.UnsupportedVersion &&
    mutualVersions(supportedIn(error)).modern !== undefined
  )
}
