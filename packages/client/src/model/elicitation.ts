import type { JsonSchema } from './tool.ts'

export interface ElicitFormRequest {
  readonly mode?: 'form'
  readonly message: string
  /** A flat object of primitive fields. */
  readonly requestedSchema: JsonSchema
}

export interface ElicitUrlRequest {
  readonly mode: 'url'
  readonly message: string
  readonly url: string
  readonly elicitationId?: string
}

export type ElicitRequest = ElicitFormRequest | ElicitUrlRequest

export type ElicitValue = string | number | boolean | readonly string[]

export type ElicitResult =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, ElicitValue>> }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }
