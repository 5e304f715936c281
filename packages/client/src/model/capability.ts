/** Identifies a client or server program. */
export interface Implementation {
  /** Programmatic name. */
  readonly name: string
  /** Version of the program. */
  readonly version: string
  /** Name for display. */
  readonly title?: string
  /** Purpose of the program. */
  readonly description?: string
  /** Home page of the program. */
  readonly websiteUrl?: string
}

/** Capabilities that a client declares. */
export interface ClientCapabilities {
  /** Answers elicitation requests, by form or URL. */
  readonly elicitation?: { readonly form?: object; readonly url?: object }
  /** Answers sampling requests, with tools or context. */
  readonly sampling?: { readonly tools?: object; readonly context?: object }
  /** Has roots, and reports changes of them. */
  readonly roots?: { readonly listChanged?: boolean }
  /** Settings of extensions, by extension name. */
  readonly extensions?: Readonly<Record<string, object>>
  /** Features outside the specification, by name. */
  readonly experimental?: Readonly<Record<string, object>>
}

/** Capabilities that a server declares. */
export interface ServerCapabilities {
  /** Has tools, and reports changes of the list. */
  readonly tools?: { readonly listChanged?: boolean }
  /** Has resources; supports subscriptions; reports changes of the list. */
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean }
  /** Has prompts, and reports changes of the list. */
  readonly prompts?: { readonly listChanged?: boolean }
  /** Sends log messages. */
  readonly logging?: object
  /** Completes arguments. */
  readonly completions?: object
  /** Supports tasks (2025-11-25): lists them, cancels them, runs tool calls as tasks. */
  readonly tasks?: {
    readonly list?: object
    readonly cancel?: object
    readonly requests?: { readonly tools?: { readonly call?: object } }
  }
  /** Settings of extensions, by extension name. */
  readonly extensions?: Readonly<Record<string, object>>
  /** Features outside the specification, by name. */
  readonly experimental?: Readonly<Record<string, object>>
}

/** A server's description of itself, read when the connection opens. Untrusted text. */
export interface ServerDescription {
  /** The negotiated revision. */
  readonly protocolVersion: string
  /** Capabilities that the server declared. */
  readonly capabilities: ServerCapabilities
  /** Name and version of the server. */
  readonly serverInfo: Implementation
  /** Instructions for the model. */
  readonly instructions?: string
}
