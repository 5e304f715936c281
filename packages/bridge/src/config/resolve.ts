import type { Issue } from './issue.ts'
import type { Authority, ResolvedSpec, ServerSpec } from './spec.ts'

export interface Resolution {
  readonly spec: ResolvedSpec
  /** Warnings: the spec can be started, but probably not as its author meant. */
  readonly issues: readonly Issue[]
}

/** The authority of the person who runs this process: its environment and its working directory. */
export function localAuthority(): Authority {
  return { kind: 'local', env: process.env, workspaceFolder: process.cwd() }
}

/**
 * Replaces the variables of a definition: the only place where that happens. Under `session` authority nothing of this
 * machine may be drawn on: a reference to the environment or the workspace, or a working directory, is refused.
 * Throws a `ConfigError` with every issue.
 */
export function resolveSpec(_spec: ServerSpec, _authority: Authority): Resolution {
  throw new Error('not built yet')
}
