import type { ApplyReport, Bridge, ServerSpec } from '@toolbridge/bridge'
import type { Invocation } from '../../command.ts'
import { effectivePermissions } from '../../permissions/effective-permissions.ts'
import { chosenServers } from '../../servers/chosen-servers.ts'
import { reportFailures } from '../../servers/selected-servers.ts'
import type { StartedDefinitions } from '../../started-definitions.ts'
import type { Terminal } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { keptDefinitions } from '../../watch-configuration.ts'
import type { ChatApprovals } from './chat-approvals.ts'

/** The servers of a chat. */
export class ChatServers {
  readonly #invocation: Invocation
  readonly #bridge: Bridge
  readonly #definitions: StartedDefinitions
  readonly #approvals: ChatApprovals
  /** The entries in force, as they are written. */
  #written: readonly ServerSpec[]

  constructor(
    invocation: Invocation,
    bridge: Bridge,
    definitions: StartedDefinitions,
    approvals: ChatApprovals,
    written: readonly ServerSpec[],
  ) {
    this.#invocation = invocation
    this.#bridge = bridge
    this.#definitions = definitions
    this.#approvals = approvals
    this.#written = written
  }

  /**
   * Reads the configuration and the permission rules again and applies them. Asks for trust in new servers of the project. Rejects, and
   * changes nothing, if they cannot be used. Prints the servers that do not start.
   */
  async reload(terminal: Terminal): Promise<ApplyReport> {
    const { options } = this.#invocation
    const loaded = await chosenServers({ ...this.#invocation, terminal })
    if (loaded.files.length === 0 && this.#written.length > 0)
      throw new UsageError('there is no configuration file any more')
    const { rules } = await effectivePermissions(terminal, options, loaded.files, 'ask')
    const written = keptDefinitions(this.#written, loaded)
    const started = await this.#definitions.add(terminal, written)
    const report = await this.#bridge.apply(started, { signal: terminal.signal })
    this.#written = written
    this.#approvals.setRules(rules)
    reportFailures(this.#bridge.status(), terminal)
    return report
  }
}
