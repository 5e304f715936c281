import { parseArgs } from 'node:util'

/** How the authorization server and its resource behave. */
export interface AuthorizationSettings {
  /** How long access tokens live. */
  readonly accessTokenSeconds: number
  /** Whether the authorization server wants a nonce of its own in each DPoP proof. */
  readonly dpopNonce: boolean
  /** Whether the resource asks for `tools:list` first, and for `tools:call` only when a tool is called. */
  readonly stepUp: boolean
}

/** The scopes of the resource. */
export const SCOPES: readonly string[] = ['tools:list', 'tools:call']

/** Reads the settings from a program's flags. */
export function readSettings(): AuthorizationSettings {
  const { values } = parseArgs({
    options: {
      'access-token-seconds': { type: 'string', default: '3600' },
      'dpop-nonce': { type: 'boolean', default: false },
      'step-up': { type: 'boolean', default: false },
    },
  })
  return {
    accessTokenSeconds: Number(values['access-token-seconds']),
    dpopNonce: values['dpop-nonce'],
    stepUp: values['step-up'],
  }
}

/** The flags that {@link readSettings} reads. */
export function flagsOf(settings: Partial<AuthorizationSettings>): readonly string[] {
  const seconds = settings.accessTokenSeconds
  return [
    ...(seconds === undefined ? [] : ['--access-token-seconds', String(seconds)]),
    ...(settings.dpopNonce === true ? ['--dpop-nonce'] : []),
    ...(settings.stepUp === true ? ['--step-up'] : []),
  ]
}
