import type { ServerSpec } from '../config/spec/server-spec.ts'
import { stderrOf } from '../upstream/connections/launch.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { FailedReplacement } from '../upstream/upstream-state.ts'
import { explainFailedReplacement } from './replacement.ts'

interface Failure {
  readonly wanted: ServerSpec
  readonly described: FailedReplacement
}

/** Changed definitions that could not be started, of servers that still run their previous definition. */
export class FailedReplacements {
  readonly #failures = new Map<string, Failure>()

  add(upstream: Upstream, error: unknown, since: Date): FailedReplacement {
    const { spec: wanted } = upstream
    const stderr = stderrOf(error)
    const described = {
      error: explainFailedReplacement(upstream, error),
      ...(stderr.length === 0 ? {} : { stderr }),
      since,
    }
    this.#failures.set(wanted.name, { wanted, described })
    return described
  }

  delete(server: string): void {
    this.#failures.delete(server)
  }

  /** The definition that could not be started. */
  wantedOf(server: string): ServerSpec | undefined {
    return this.#failures.get(server)?.wanted
  }

  describe(server: string): FailedReplacement | undefined {
    return this.#failures.get(server)?.described
  }
}
