import { McpAuthError } from '../messages/mcp-auth-error.ts'
import { coversScope, unionOfScopes } from '../discovery/scopes.ts'

/** The maximum number of step-ups per server. */
const MAX_STEP_UPS = 3

/** Records the requested step-ups, so that a person is not asked for the same scope repeatedly. */
export class StepUps {
  readonly #tried = new Set<string>()

  /** Throws `step_up_limit` if the step-up cannot succeed. `before`: all scopes requested or granted so far. */
  begin(needed: string | undefined, before: string | undefined): void {
    const what = unionOfScopes(needed) ?? ''
    const isPointless = this.#tried.has(what) || this.#tried.size >= MAX_STEP_UPS || coversScope(before, what)
    if (isPointless) throw stepUpLimitError(what)
    this.#tried.add(what)
  }
}

function stepUpLimitError(needed: string): McpAuthError {
  const what = /^[\x21\x23-\x5b\x5d-\x7e ]{1,200}$/.test(needed) ? ` (${needed})` : ''
  return new McpAuthError(
    `the server requires a scope${what} that was requested before and was not granted, or is not sufficient`,
    {
      code: 'step_up_limit',
      stage: 'authorization',
      fix: 'have this scope granted to the account that signs in, then sign in again',
    },
  )
}
