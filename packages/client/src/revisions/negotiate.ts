import { onDemand } from '../features/load.ts'
import { McpError } from '../jsonrpc.ts'
import type { ServerDescription } from '../model/capability.ts'
import type {
  IncomingMcpHandlers,
  IncomingRequestContext,
  McpTransport,
  RequestOptions,
  SentRequest,
} from '../transport.ts'
import type { ClientHost, RevisionCodec } from './codec.ts'
import { describe, type Discovery } from './discover.ts'
import { fresh, type Verdict } from './era.ts'
import { LegacyCodec } from './legacy.ts'
import { ModernCodec } from './modern.ts'
import { Prober } from './probe.ts'
import { ModernErrorCode, supportedIn } from './refused-version.ts'
import { mutualVersions } from './versions.ts'

/** An open conversation: what the server said of itself, and how to speak to it. */
export interface Session {
  readonly description: ServerDescription
  readonly codec: RevisionCodec
}

/** Starts the transport and opens the conversation in a revision that both sides speak. */
export async function negotiate(
  transport: McpTransport,
  host: ClientHost,
  options: RequestOptions,
): Promise<Session> {
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
    this.#use(this.#legacy)
    await this.#transport.start()
  }

  /** Asks the server which era it speaks, unless that is known. */
  async findOut(): Promise<Session> {
    const { eraCache, eraKey = '' } = this.#host
    const known = fresh(eraCache?.get(eraKey), Date.now())
    if (known?.era === 'modern') return this.#modern(known.description)
    if (known?.era === 'legacy') return this.#shakeHandsOrMoveOn()
    const finding = await this.#prober.find(this.#options)
    if (finding.era === 'modern') return this.#remembered(finding.discovery, finding.version)
    if (finding.isGone) await this.#transport.restart?.()
    return this.#shakeHandsOrMoveOn()
  }

  async shakeHands(): Promise<Session> {
    return { codec: this.#legacy, description: await this.#legacy.open(this.#options) }
  }

  async insistOnModern(cause?: unknown): Promise<Session> {
    const finding = await this.#prober.find(this.#options)
    if (finding.era === 'modern') return this.#remembered(finding.discovery, finding.version)
    throw (await onDemand()).notModern(finding.cause ?? cause)
  }

  /** A server without a handshake may have been taken for one that has it. */
  async #shakeHandsOrMoveOn(): Promise<Session> {
    try {
      const session = await this.shakeHands()
      this.#remember({ era: 'legacy', at: Date.now() })
      return session
    } catch (error) {
      if (!isRefusedHandshake(error)) throw error
      return this.insistOnModern(error)
    }
  }

  #remembered(discovery: Discovery, version: string): Session {
    const description = describe(discovery, version)
    this.#remember({ era: 'modern', at: Date.now(), description, ttlMs: discovery.ttlMs })
    return this.#modern(description)
  }

  #modern(description: ServerDescription): Session {
    const codec = new ModernCodec(this.#transport, this.#host, description)
    this.#use(codec)
    return { codec, description }
  }

  #remember(verdict: Verdict): void {
    this.#host.eraCache?.set(this.#host.eraKey ?? '', verdict)
  }

  #use(codec: RevisionCodec): void {
    this.#transport.setHandlers(new Incoming(codec, this.#host))
  }
}

/** Hands what comes from the server to the codec in use, and to the host what concerns it. */
class Incoming implements IncomingMcpHandlers {
  readonly #codec: RevisionCodec
  readonly #host: ClientHost

  constructor(codec: RevisionCodec, host: ClientHost) {
    this.#codec = codec
    this.#host = host
  }

  onRequest(method: string, params: unknown, context: IncomingRequestContext): Promise<unknown> {
    return this.#codec.onRequest(method, params, context)
  }

  onNotification(method: string, params: unknown): void {
    this.#codec.onNotification(method, params)
    this.#host.onNotification?.(method, params)
  }

  onClose(reason: McpError): void {
    if (this.#codec.onLost(reason)) return
    this.#codec.close(reason)
    this.#host.onClose?.(reason)
  }

  onWarning(warning: McpError): void {
    this.#host.onWarning?.(warning)
  }

  onRefused(refusal: McpError, request: SentRequest): Promise<unknown> | undefined {
    return this.#codec.onRefused?.(refusal, request)
  }

  onSessionLost(): Promise<void> | undefined {
    return this.#codec.onSessionLost?.()
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
