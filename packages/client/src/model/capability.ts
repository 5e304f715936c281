/** Identifies a client or server program. */
export interface Implementation {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
}

/** Capabilities that a client declares. */
export interface ClientCapabilities {
  readonly elicitation?: { readonly form?: object; readonly url?: object }
  readonly sampling?: { readonly tools?: object; readonly context?: object }
  readonly roots?: { readonly listChanged?: boolean }
  readonly extensions?: Readonly<Record<string, object>>
  readonly experimental?: Readonly<Record<string, object>>
}

/** Capabilities that a server declares. */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean }
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean }
  readonly prompts?: { readonly listChanged?: boolean }
  readonly logging?: object
  readonly completions?: object
  readonly tasks?: {
    readonly list?: object
    readonly cancel?: object
    readonly requests?: { readonly tools?: { readonly call?: object } }
  }
  readonly extensions?: Readonly<Record<string, object>>
  readonly experimental?: Readonly<Record<string, object>>
}

/** A server's description of itself, read when the connection opens. Untrusted text. */
export interface ServerDescription {
  readonly protocolVersion: string
  readonly capabilities: ServerCapabilities
  readonly serverInfo: Implementation
  readonly instructions?: string
}
