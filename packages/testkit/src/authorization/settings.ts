import { parseArgs } from 'node:util'

/** Behavior of the authorization server and its resource. */
export interface AuthorizationSettings {
  /** Lifetime of access tokens. */
  readonly accessTokenSeconds: number
  /** Whether access tokens are JWTs (RFC 9068). */
  readonly jwtAccessTokens: boolean
  /** Whether the authorization server requires its nonce in each DPoP proof. */
  readonly dpopNonce: boolean
  /** Whether the resource requires `tools:list` at first, and `tools:call` only for a tool call. */
  readonly stepUp: boolean
}

/** The scopes of the resource. */
export const SCOPES: readonly string[] = ['tools:list', 'tools:call']

/** Reads the settings from a program's flags. */
export function readSettings(): AuthorizationSettings {
  const { values } = parseArgs({
    options: {
      'access-token-seconds': { type: 'string', default: '3600' },
      'jwt-access-tokens': { type: 'boolean', default: false },
      'dpop-nonce': { type: 'boolean', default: false },
      'step-up': { type: 'boolean', default: false },
    },
  })
  return {
    accessTokenSeconds: Number(values['access-token-seconds']),
    jwtAccessTokens: values['jwt-access-tokens'],
    dpopNonce: values['dpop-nonce'],
    stepUp: values['step-up'],
  }
}

/** The flags that {@link readSettings} reads. */
export function flagsOf(settings: Partial<AuthorizationSettings>): readonly string[] {
  const seconds = settings.accessTokenSeconds
  return [
    ...(seconds === undefined ? [] : ['--access-token-seconds', String(seconds)]),
    ...(settings.jwtAccessTokens === true ? ['--jwt-access-tokens'] : []),
    ...(settings.dpopNonce === true ? ['--dpop-nonce'] : []),
    ...(settings.stepUp === true ? ['--step-up'] : []),
  ]
}
