import { loadDeferred } from '../../loading/load-deferred.ts'
import { isDirect } from '../../jsonrpc/direct-transport.ts'
import { McpError } from '../../jsonrpc/jsonrpc.ts'
import type { ServerDescription } from '../../model/capability.ts'
import type { McpTransport, RequestOptions } from '../../jsonrpc/transport.ts'
import type { HostOptions, RevisionCodec } from '../codec.ts'
import { describe } from '../modern/discovery.ts'
import { type EraCache, freshVerdict, type EraVerdict } from '../era.ts'
import { LegacyCodec } from '../legacy/legacy-codec.ts'
import { ModernCodec } from '../modern/modern-codec.ts'
import { type ProbeTarget, type ModernFinding, probe } from './probe.ts'
import { ModernErrorCode, supportedVersionsIn } from '../unsupported-version.ts'
import { eraOf, mutualVersions } from '../versions.ts'

/** A probe target and the codec for the legacy era. */
interface Negotiation extends ProbeTarget {
  readonly legacy: LegacyCodec
}

/** Starts the transport, negotiates a revision and returns its codec. */
export async function negotiate(
  transport: McpTransport,
  host: HostOptions,
  options: RequestOptions,
): Promise<RevisionCodec> {
  const legacy = new LegacyCodec(transport, host)
  // A legacy server may send a ping at once, so its codec is set first. Transports of
  // this package call methods of the object; a host's transport may destructure it.
  const handlers = isDirect(transport) ? legacy : (await loadDeferred()).boundHandlers(legacy)
  transport.setHandlers(handlers)
  await transport.start()
  const negotiation: Negotiation = { transport, handlers, host, options, legacy, probes: 0 }
  const { version, era = version && eraOf(version) } = host
  if (era === 'legacy') return shakeHands(negotiation)
  return era === '2026-07-28' ? insistOnModern(negotiation) : findOut(negotiation)
}

/** Probes the server's era, unless it is cached. */
async function findOut(negotiation: Negotiation): Promise<RevisionCodec> {
  const { eraCache } = negotiation.host
  const known = eraCache === undefined ? undefined : recalled(eraCache, negotiation.host)
  if (known?.era === 'modern') return speakModern(negotiation, known.description)
  if (known?.era !== 'legacy') {
    const finding = await probe(negotiation)
    if (finding.era === 'modern') return remembered(negotiation, finding)
    if (finding.isGone) await negotiation.transport.restart?.()
  }
  return shakeHandsOrMoveOn(negotiation)
}

async function shakeHands({ legacy, options }: Negotiation): Promise<RevisionCodec> {
  await legacy.open(options)
  return legacy
}

async function insistOnModern(negotiation: Negotiation, cause?: unknown): Promise<RevisionCodec> {
  const finding = await probe(negotiation)
  if (finding.era === 'modern') return remembered(negotiation, finding)
  throw (await loadDeferred()).notModern(finding.cause ?? cause)
}

/** Probes again if the server refuses the handshake: the cached era may be wrong. */
async function shakeHandsOrMoveOn(negotiation: Negotiation): Promise<RevisionCodec> {
  try {
    await negotiation.legacy.open(negotiation.options)
  } catch (error) {
    if (!isRefusedHandshake(error)) throw error
    return insistOnModern(negotiation, error)
  }
  remember(negotiation.host, { era: 'legacy', at: Date.now() })
  return negotiation.legacy
}

function remembered(negotiation: Negotiation, { discovery, version }: ModernFinding): Promise<RevisionCodec> {
  const description = describe(discovery, version)
  remember(negotiation.host, { era: 'modern', at: Date.now(), description, ttlMs: discovery.ttlMs })
  return speakModern(negotiation, description)
}

async function speakModern(
  { transport, host, legacy }: Negotiation,
  description: ServerDescription,
): Promise<RevisionCodec> {
  legacy.requireLink()
  const codec = new ModernCodec(transport, host, description)
  transport.setHandlers(isDirect(transport) ? codec : (await loadDeferred()).boundHandlers(codec))
  return codec
}

function recalled(eraCache: EraCache, { eraKey = '' }: HostOptions): EraVerdict | undefined {
  return freshVerdict(eraCache.get(eraKey), Date.now())
}

function remember({ eraCache, eraKey = '' }: HostOptions, verdict: EraVerdict): void {
  eraCache?.set(eraKey, verdict)
}

function isRefusedHandshake(error: unknown): boolean {
  if (!(error instanceof McpError) || error.kind !== 'peer') return false
  if (error.code === ModernErrorCode.HeaderMismatch) return true
  return (
    error.code === ModernErrorCode.UnsupportedVersion &&
    mutualVersions(supportedVersionsIn(error)).modern !== undefined
  )
}
