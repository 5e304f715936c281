import type { JsonSchema } from './tool.ts'

/** Asks the user to fill in a form. */
export interface ElicitFormRequest {
  readonly mode?: 'form'
  /** The question. */
  readonly message: string
  /** A flat object of primitive fields. */
  readonly requestedSchema: JsonSchema
}

/** Asks the user to visit a URL. */
export interface ElicitUrlRequest {
  readonly mode: 'url'
  /** Why the user should visit the URL. */
  readonly message: string
  /** The URL to visit. */
  readonly url: string
  /** Identifies the elicitation in the notification of its completion. */
  readonly elicitationId?: string
}

/** An elicitation request of a server. Untrusted text. */
export type ElicitRequest = ElicitFormRequest | ElicitUrlRequest

/** The value of a form field. */
export type ElicitValue = string | number | boolean | readonly string[]

/** The user's answer to an elicitation request. */
export type ElicitResult =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, ElicitValue>> }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }
