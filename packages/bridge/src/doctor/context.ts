import type { Implementation, WebSocketConstructor } from '@toolbridge/client'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import type { SchemaChecks } from '../catalog/schema/schema-checks.ts'
import type { InputSource } from '../config/spec/input-spec.ts'
import type { Authority } from '../config/spec/server-spec.ts'
import type { TrustStore } from '../config/trust/trust-store.ts'
import type { CredentialsOf, TransportOf } from '../upstream/connections/open-connection.ts'
import type { BridgeMessage } from '../upstream/connections/trace-messages.ts'

/** Limits of a diagnosis. */
export interface DiagnosisTimeouts {
  /** Start timeout of servers whose definition sets none. Default: 30 s. */
  readonly startMs?: number
  /** Timeout of a list. Default: the start timeout of the server. */
  readonly listMs?: number
  /** Timeout of a ping. Default: 5 s. */
  readonly pingMs?: number
}

/** How servers are diagnosed. */
export interface DiagnosisContext {
  /** What the variables of definitions may use. */
  readonly authority: Authority
  /** Approved entries of project files. Default: none. */
  readonly trust?: Pick<TrustStore, 'isTrusted'>
  /** Answers `${input:…}` and `${secret:…}` in definitions. Default: only their own defaults. */
  readonly inputs?: InputSource
  /** Accounts at servers that need authorization. Default: none. */
  readonly credentials?: CredentialsOf
  /** Whose accounts are used. Default: `local`. */
  readonly principal?: string
  /** Whether servers are started and reached. Default: true. */
  readonly isActive?: boolean
  /** Limits of requests. */
  readonly timeouts?: DiagnosisTimeouts
  /** Restricts the URLs of definitions with `session` authority. Default: public https addresses. */
  readonly guard?: UrlGuardOptions
  /** Name and version that servers get. Default: those of Toolbridge. */
  readonly clientInfo?: Implementation
  /** WebSocket constructor. Default: the platform's (Node 22 or newer). */
  readonly webSocket?: WebSocketConstructor
  /** Creates transports that a definition cannot describe. */
  readonly transportOf?: TransportOf
  /** Called with every JSON-RPC message, without secrets. Default: none. */
  readonly onMessage?: (message: BridgeMessage) => void
  /** Aborting stops all servers; the diagnosis then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** A diagnosis that runs. */
export interface RunningDiagnosis extends DiagnosisContext {
  /** Shared by all servers: creating them takes longer than using them. */
  readonly checks: SchemaChecks
}
