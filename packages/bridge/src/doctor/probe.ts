import { McpClient, type McpTransport, type ServerDescription } from '@toolbridge/client'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import { StdioTransport } from '@toolbridge/client/stdio'
import { defaultTimeouts } from '../config/spec/default-timeouts.ts'
import type { ResolvedSpec, ServerSpec } from '../config/spec/server-spec.ts'
import { Redaction } from '../journal/redaction/redaction.ts'
import { createRedactor, type Redactor } from '../journal/redaction/redactor.ts'
import { startDeadline } from '../upstream/connections/deadline.ts'
import { revisionOptions } from '../upstream/connections/launch.ts'
import { authorizationOf, launchPolicy } from '../upstream/connections/open-connection.ts'
import { createTransport } from '../upstream/connections/server-transport.ts'
import { traceMessages } from '../upstream/connections/trace-messages.ts'
import { isUnauthorized } from '../upstream/upstream-state.ts'
import type { RunningDiagnosis } from './context.ts'
import { ObservedAuthorization } from './observed-authorization.ts'
import { observedTransport, TransportObservation } from './observed-transport.ts'

/** Time to look for a server at one other URL. */
const maxSearchMs = 5_000

/** A server that is being probed: one connection, and what it showed. Closed by its creator. */
export class Probe {
  readonly written: ServerSpec
  readonly spec: ResolvedSpec
  readonly context: RunningDiagnosis
  readonly observation: TransportObservation = new TransportObservation()
  readonly authorization: ObservedAuthorization
  readonly #redaction = new Redaction()
  readonly #redactor: Redactor
  #transport: McpTransport | undefined
  #client: McpClient | undefined
  #description: ServerDescription | undefined
  /** Time until the handshake was done. */
  connectedInMs = 0

  constructor(written: ServerSpec, spec: ResolvedSpec, context: RunningDiagnosis) {
    this.written = written
    this.spec = spec
    this.context = context
    this.#redactor = createRedactor(spec, this.#redaction)
    this.authorization = new ObservedAuthorization(this.#credentials())
  }

  /** Start timeout of the server. */
  get startMs(): number {
    return this.spec.timeouts?.startMs ?? this.context.timeouts?.startMs ?? defaultTimeouts.startMs
  }

  /** The transport, where it is a program of this machine. */
  get process(): StdioTransport | undefined {
    return this.#transport instanceof StdioTransport ? this.#transport : undefined
  }

  get client(): McpClient {
    if (this.#client === undefined) throw new TypeError('not connected')
    return this.#client
  }

  get description(): ServerDescription {
    if (this.#description === undefined) throw new TypeError('not connected')
    return this.#description
  }

  /** Restricts the URLs that may be opened for a session. */
  get guard(): UrlGuardOptions | undefined {
    return this.context.authority.kind === 'session' ? (this.context.guard ?? {}) : undefined
  }

  /** Removes the secrets of the definition from a text. */
  mask(text: string): string {
    return this.#redactor.redactListed({ text }).text
  }

  /** Starts or reaches the server and shakes hands. Rejects with the unredacted reason. */
  async connect(): Promise<void> {
    const { name } = this.spec
    const { signal = new AbortController().signal } = this.context
    const startedAt = performance.now()
    const deadline = startDeadline(`server "${name}" was not ready in time`, this.startMs, signal)
    try {
      this.#transport =
        this.context.transportOf?.(this.spec) ?? (await this.#createTransport(deadline.signal))
      const { onMessage } = this.context
      if (onMessage !== undefined) traceMessages(this.spec, this.#transport, this.#redaction, onMessage)
      this.#client = this.#createClient(this.#transport)
      const waiting = { signal: deadline.signal, timeoutMs: this.startMs }
      this.#description = await this.#client.connect(waiting)
      this.connectedInMs = Math.round(performance.now() - startedAt)
    } finally {
      deadline.stop()
    }
  }

  async close(): Promise<void> {
    await this.#client?.close()
  }

  /** Whether a server answers at another URL of the same origin, also if it requires a sign-in. */
  async answersAt(url: string): Promise<boolean> {
    if (this.spec.transport === 'stdio') return false
    // Of the definition, whose own timeout comes before that of the diagnosis.
    const timeouts = { startMs: Math.min(this.startMs, maxSearchMs) }
    const other = new Probe(this.written, { ...this.spec, url, timeouts }, this.context)
    try {
      await other.connect()
      return true
    } catch (error) {
      return isUnauthorized(error)
    } finally {
      await other.close()
    }
  }

  #credentials(): ReturnType<typeof authorizationOf> {
    const { credentials, principal = 'local' } = this.context
    const credential = credentials?.(this.written, principal)
    const inner = credential && authorizationOf(credential, this.spec, this.guard)
    return inner && this.#redactor.watched(inner)
  }

  #createTransport(signal: AbortSignal): Promise<McpTransport> {
    const policy = launchPolicy(this.spec, {}, this.context.authority)
    // Text on stdout is a finding, and stderr is shown with the findings.
    const badLines = policy['stdout.badLine'] === 'drop' ? 'count' : policy['stdout.badLine']
    return createTransport(
      this.spec,
      {
        signal,
        authorization: this.authorization,
        guard: this.guard,
        webSocket: this.context.webSocket,
        policy: { ...policy, stderr: 'capture', 'stdout.badLine': badLines },
      },
      this.#redactor,
    )
  }

  #createClient(transport: McpTransport): McpClient {
    const { clientInfo, authority } = this.context
    const policy = launchPolicy(this.spec, {}, authority)
    // Servers list some tools only to clients that answer questions, as the bridge does.
    const elicits = !policy.elicitation.includes('off')
    return new McpClient(observedTransport(transport, this.observation), {
      ...(clientInfo === undefined ? {} : { clientInfo }),
      ...(elicits ? { offersUrls: true, onElicitation: async () => ({ action: 'decline' }) } : {}),
      ...revisionOptions(policy),
    })
  }
}
