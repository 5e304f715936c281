import { explained } from '../upstream/upstream-state.ts'
import { messageOf } from '../text/message-of.ts'
import type { Plan } from './reconcile.ts'
import type { Start } from './start.ts'

/** The outcome of `apply`, by server name. Failed servers are also listed as started. */
export interface ApplyReport {
  /** Names of unchanged servers. */
  readonly kept: readonly string[]
  /** Names of servers that were started. */
  readonly started: readonly string[]
  /** Names of servers that were stopped. */
  readonly stopped: readonly string[]
  /** Servers that could not be started, with their errors. */
  readonly failed: readonly { readonly name: string; readonly error: string }[]
  /** Names of failed servers whose previous definition is still running. */
  readonly notReplaced: readonly string[]
  /** Whether a newer change took over before this one was done. */
  readonly superseded: boolean
}

/** One change of the servers. Only the newest one takes effect. */
export interface Change {
  readonly plan: Plan
  readonly starts: readonly Start[]
  /** Names of listed servers that this change stops. */
  readonly stopped: readonly string[]
  readonly superseded: AbortController
  /** Whether the wanted definitions are unchanged, as in a restart. */
  readonly isRestart: boolean
}

/** Rejects when the first of them fails. */
export async function requiredAreReady(starts: readonly Start[]): Promise<void> {
  await Promise.all(
    starts.map(async (start) => {
      await start.settled()
      if (start.error !== undefined) throw explained(start.name, 'is required and did not start', start.error)
    }),
  )
}

export function report({ plan, starts, stopped, superseded }: Change): ApplyReport {
  const notReplaced = starts.filter(({ isRefused }) => isRefused).map(({ name }) => name)
  return {
    kept: plan.keep.map((spec) => spec.name),
    started: starts.map(({ name }) => name),
    stopped: stopped.filter((name) => !notReplaced.includes(name)),
    failed: starts.flatMap(({ name, error }) =>
      error === undefined ? [] : [{ name, error: messageOf(error) }],
    ),
    notReplaced,
    superseded: superseded.signal.aborted,
  }
}
