import { createHmac, randomBytes } from 'node:crypto'
import type { FoundFile, FoundServer, FoundServersResponse } from '@toolbridge/api'
import {
  type DiscoveredConfig,
  dialectTitle,
  discoverConfigs,
  entryHash,
  type SearchOptions,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import { explainText, shownIssue, variablesOf } from './explain-text.ts'
import { savedForm } from './saved-form.ts'
import { issuesAbout, type SavingRules, storedReading } from './saved-servers.ts'

/** Where files of MCP hosts are searched. */
export type HostFiles = Pick<SearchOptions, 'env' | 'cwd' | 'home'>

/**
 * The servers in the files of MCP hosts on this machine. Their values stay here: what is listed has none that may be secret, and an
 * import names a server by its id.
 */
export class FoundServers {
  readonly #where: HostFiles
  /** Of the hash of the definition in each id, so that secrets cannot be guessed from ids. */
  readonly #key = randomBytes(32)
  readonly #ownFiles: () => ReadonlySet<string>

  /** `ownFiles` are the files whose servers the gateway has already. */
  constructor(where: HostFiles, ownFiles: () => ReadonlySet<string>) {
    this.#where = where
    this.#ownFiles = ownFiles
  }

  /** Lists the files that define servers, or would if they were valid. */
  async list(rules: SavingRules, signal: AbortSignal): Promise<FoundServersResponse> {
    const found = await this.#discover(signal)
    return { files: await Promise.all(found.map((config) => this.#shown(config, rules))) }
  }

  /** Returns the definitions as they are now, by id. */
  async byId(signal: AbortSignal): Promise<ReadonlyMap<string, ServerSpec>> {
    const found = await this.#discover(signal)
    return new Map(found.flatMap(({ reading }) => reading.servers).map((spec) => [this.#idOf(spec), spec]))
  }

  async #discover(signal: AbortSignal): Promise<readonly DiscoveredConfig[]> {
    const own = this.#ownFiles()
    const found = await discoverConfigs({ ...this.#where, signal })
    return found.filter(
      ({ file, reading }) => !own.has(file) && (reading.servers.length > 0 || hasErrors(reading)),
    )
  }

  async #shown({ file, scope, reading }: DiscoveredConfig, rules: SavingRules): Promise<FoundFile> {
    return {
      file,
      dialect: reading.dialect,
      title: dialectTitle(reading.dialect),
      scope: scope === 'project' || scope === 'environment' ? scope : 'user',
      servers: await this.#shownServers(reading.servers, file, rules),
      issues: reading.issues.filter(({ severity }) => severity === 'error').map(shownIssue),
    }
  }

  async #shownServers(
    specs: readonly ServerSpec[],
    file: string,
    rules: SavingRules,
  ): Promise<readonly FoundServer[]> {
    const { servers, issues } = savedForm(specs)
    const text = JSON.stringify({ mcpServers: servers })
    const explained = await explainText({ text, dialect: storedReading.dialect }, rules)
    return specs.map((spec): FoundServer => {
      const { name } = spec
      const id = this.#idOf(spec)
      const server = explained.servers.find((each) => each.name === name)
      if (server === undefined) {
        const reasons = issuesAbout(name, issues).map((issue) => reasonIn(file, issue))
        return { id, name, state: 'refused', reasons }
      }
      const { state, reasons, definition, entry } = server
      const asks = entry === undefined ? [] : variablesOf(spec)
      return {
        id,
        name,
        state,
        reasons: reasons.map((reason) => reasonIn(file, reason)),
        ...(spec.source.line === undefined ? {} : { line: spec.source.line }),
        ...(definition === undefined ? {} : { definition }),
        ...(entry === undefined ? {} : { entry }),
        ...(asks.length === 0 ? {} : { asks }),
      }
    })
  }

  #idOf(spec: ServerSpec): string {
    const definition = JSON.stringify([spec.name, entryHash(spec)])
    return createHmac('sha256', this.#key).update(definition).digest('base64url')
  }
}

function hasErrors({ issues }: DiscoveredConfig['reading']): boolean {
  return issues.some(({ severity }) => severity === 'error')
}

interface Reason {
  readonly code: string
  readonly message: string
  readonly fix: string
}

/** Without the position, which is that of a text that the gateway generated. */
function reasonIn(file: string, { code, message, fix }: Reason): FoundServer['reasons'][number] {
  return { code, message, fix, file }
}
