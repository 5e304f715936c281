import { McpAuthError } from '../messages/mcp-auth-error.ts'
import { coversScope, unionOfScopes } from '../discovery/scopes.ts'

/** How often more may be asked for, whatever the server says. */
const MAX_STEP_UPS = 3

/** Remembers what more was asked for, so that a person is not asked for the same thing again and again. */
export class StepUps {
  readonly #tried = new Set<string>()

  /** Throws `step_up_limit` where asking would be in vain; `before` is all that was asked for or granted so far. */
  begin(needed: string | undefined, before: string | undefined): void {
    const what = unionOfScopes(needed) ?? ''
    const isInVain = this.#tried.has(what) || this.#tried.size >= MAX_STEP_UPS || coversScope(before, what)
    if (isInVain) throw stepUpLimitError(what)
    this.#tried.add(what)
  }
}

function stepUpLimitError(needed: string): McpAuthError {
  const what = /^[\x21\x23-\x5b\x5d-\x7e ]{1,200}$/.test(needed) ? ` (${needed})` : ''
  return new McpAuthError(
    `the server wants rights${what} that were asked for before and not granted, or are not enough`,
    {
      code: 'step_up_limit',
      stage: 'authorization',
      fix: 'have these rights given to the account that signs in, then sign in again',
    },
  )
}
