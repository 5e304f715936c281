import { parseArgs } from 'node:util'

/** Behavior of the authorization server and its resource. */
export interface AuthorizationSettings {
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
      'dpop-nonce': { type: 'boolean', default: false },
      'step-up': { type: 'boolean', default: false },
    },
  })
  return {
    dpopNonce: values['dpop-nonce'],
    stepUp: values['step-up'],
  }
}

/** The flags that {@link readSettings} reads. */
export function flagsOf(settings: Partial<AuthorizationSettings>): readonly string[] {
  return [
    ...(settings.dpopNonce === true ? ['--dpop-nonce'] : []),
    ...(settings.stepUp === true ? ['--step-up'] : []),
  ]
}
