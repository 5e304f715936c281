import type { Issue } from './issue.ts'
import type { ServerSpec } from './spec.ts'

/** What a configuration says: the servers that can be used, and everything there is to say about the rest. */
export interface ConfigReading {
  readonly dialect: string
  readonly servers: readonly ServerSpec[]
  readonly issues: readonly Issue[]
}

/**
 * Reads a configuration text in any known dialect: JSON with comments and trailing commas. Never throws for what is
 * written there; a broken entry is left out with its issues and never hides the good ones.
 */
export function readConfig(
  _text: string,
  _options: { readonly file: string; readonly dialect?: string },
): ConfigReading {
  throw new Error('not built yet')
}
