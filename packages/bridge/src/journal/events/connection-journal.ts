import type { ServerDescription } from '@toolbridge/client'
import { parsedUrl } from '@toolbridge/client/internal'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import type { Origin } from '../../origin.ts'
import type { Emit } from './emit.ts'
import { failureOf } from './failure-of.ts'

/** Writes the events of one connection. */
export class ConnectionJournal {
  readonly #emit: Emit
  readonly #spec: ServerSpec
  readonly #origin: Origin
  readonly #startedAt = performance.now()
  #openedAt: number | undefined
  #lost: unknown

  constructor(emit: Emit, spec: ServerSpec, { principal, conversation }: Origin) {
    this.#emit = emit
    this.#spec = spec
    this.#origin = { principal, conversation }
  }

  opened({ serverInfo, protocolVersion }: ServerDescription, toolCount: number): void {
    this.#openedAt = performance.now()
    this.#emit({
      type: 'connection.opened',
      server: this.#spec.name,
      origin: this.#origin,
      transport: this.#spec.transport,
      ...addressOf(this.#spec),
      serverName: serverInfo.name,
      serverVersion: serverInfo.version,
      protocolVersion,
      toolCount,
      startedInMs: Math.round(this.#openedAt - this.#startedAt),
    })
  }

  failed(error: unknown, signal: AbortSignal): void {
    const { name: server, transport } = this.#spec
    const failure = failureOf(error, signal)
    this.#emit({
      type: 'connection.failed',
      server,
      origin: this.#origin,
      transport,
      error: error instanceof Error ? error.message : String(error),
      failure,
    })
  }

  /** Records why the connection ended on its own. */
  lost(reason: unknown): void {
    this.#lost = reason
  }

  /** Writes the end of the connection, if it was ever open. */
  closed(): void {
    if (this.#openedAt === undefined) return
    const openMs = Math.round(performance.now() - this.#openedAt)
    this.#openedAt = undefined
    const why = this.#lost
    const reason = why instanceof Error ? { error: why.message, failure: failureOf(why) } : {}
    this.#emit({
      type: 'connection.closed',
      server: this.#spec.name,
      origin: this.#origin,
      openMs,
      ...reason,
    })
  }
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 }

/** Hostname and port of a URL; nothing for a URL with unresolved variables. */
function addressOf(spec: ServerSpec): { readonly address?: string; readonly port?: number } {
  const url = spec.transport === 'stdio' ? undefined : parsedUrl(spec.url)
  if (url === undefined) return {}
  const { hostname, port, protocol } = url
  const number = port === '' ? defaultPorts[protocol] : Number(port)
  return { address: hostname, ...(number === undefined ? {} : { port: number }) }
}
