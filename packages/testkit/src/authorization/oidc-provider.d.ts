/** Types of the part of the library that the fixture uses. It has none itself. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface StoredToken {
    readonly accountId?: string
    readonly clientId?: string
    readonly grantId?: string
    readonly jkt?: string
    readonly scope?: string
    readonly aud?: string | readonly string[]
    readonly rotations?: number
    readonly isExpired?: boolean
  }

  export interface TokenModel {
    readonly prototype: { generateTokenId: (this: unknown) => string }
    find(value: string, options?: { readonly ignoreExpiration?: boolean }): Promise<StoredToken | undefined>
  }

  export interface Grant {
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }

  export interface Interaction {
    readonly uid: string
    readonly prompt: {
      readonly name: string
      readonly details: {
        readonly missingOIDCScope?: readonly string[]
        readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>
      }
    }
    readonly params: Readonly<Record<string, string | undefined>>
    readonly session?: { readonly accountId: string }
    readonly grantId?: string
  }

  export interface Context {
    readonly path: string
    readonly method: string
    status: number
    body: unknown
    readonly res: ServerResponse
    readonly oidc: {
      readonly params?: Readonly<Record<string, unknown>>
      readonly entities: Readonly<Record<string, StoredToken | undefined>>
    }
  }

  export default class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    readonly AccessToken: TokenModel
    readonly AuthorizationCode: TokenModel
    readonly ClientCredentials: TokenModel
    readonly RefreshToken: TokenModel
    readonly Grant: (new (values: {
      accountId: string
      clientId: string
    }) => Grant) & {
      find(id: string): Promise<Grant | undefined>
    }
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
    on(event: string, listener: (context: Context, error: { readonly error_detail?: string }) => void): void
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
      options: { readonly mergeWithLastSubmission: boolean },
    ): Promise<void>
  }

  export const errors: { readonly InvalidTarget: new () => Error }
}
