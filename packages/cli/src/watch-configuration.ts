import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type ApplyReport,
  configFile,
  type PermissionRules,
  type ServerSpec,
  watchSource,
} from '@toolbridge/bridge'
import { printable } from '@toolbridge/client/internal'
import type { Options } from './command.ts'
import { type LoadedConfiguration, loadConfiguration, printIssues } from './configuration.ts'
import { effectivePermissions, possibleRulesFiles } from './permissions/effective-permissions.ts'
import { reportError } from './report-error.ts'
import { printError, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export interface WatchConfigurationOptions {
  readonly terminal: Terminal
  /** The options by which the configuration was loaded. */
  readonly options: Options
  readonly loaded: LoadedConfiguration
  /** Applies changed definitions. Rejects if that is not possible. */
  readonly applyServers: (servers: readonly ServerSpec[]) => Promise<ApplyReport>
  /** Applies changed permission rules. Rejects if that is not possible. */
  readonly applyRules: (rules: PermissionRules) => Promise<void>
}

/** Applies the configuration and the permission rules again whenever one of their files changes, until disposed. Reports on stderr. */
export function watchConfiguration(watched: WatchConfigurationOptions): Disposable {
  return both(watchServers(watched), watchRules(watched))
}

function both(one: Disposable, other: Disposable): Disposable {
  return {
    [Symbol.dispose]: () => {
      one[Symbol.dispose]()
      other[Symbol.dispose]()
    },
  }
}

function watchServers({ terminal, options, loaded, applyServers }: WatchConfigurationOptions): Disposable {
  let { servers } = loaded
  return watchSource({
    source: { watch: (onChange) => watchFiles(loaded.files, onChange) },
    reload: async () => {
      try {
        const next = await loadConfiguration(terminal, options)
        if (next === undefined) throw new UsageError('there is no configuration file any more')
        const changed = keptDefinitions(servers, next)
        const report = await applyServers(changed)
        servers = changed
        printChanges(terminal, next, report)
      } catch (error) {
        reportError(error, terminal)
        printError(terminal, 'toolbridge: the configuration was not reloaded; the previous one is in force')
      }
    },
  })
}

/** Also files that are created later, in folders that exist. */
function watchRules({ terminal, options, loaded, applyRules }: WatchConfigurationOptions): Disposable {
  const files = possibleRulesFiles(terminal, options, loaded.files).filter((file) =>
    existsSync(dirname(file)),
  )
  return watchSource({
    source: { watch: (onChange) => watchFiles(files, onChange) },
    reload: async () => {
      try {
        const { rules } = await effectivePermissions(terminal, options, loaded.files)
        await applyRules(rules)
        printError(terminal, 'toolbridge: reloaded the permission rules')
      } catch (error) {
        reportError(error, terminal)
        printError(
          terminal,
          'toolbridge: the permission rules were not reloaded; the previous ones are in force',
        )
      }
    },
  })
}

function watchFiles(files: readonly string[], onChange: () => void): Disposable {
  const watching = files.map((file) => configFile(file, { kind: 'flag' }).watch?.(onChange))
  return {
    [Symbol.dispose]: () => {
      for (const each of watching) each?.[Symbol.dispose]()
    },
  }
}

/** The new definitions. Those of files and entries that cannot be used stay as they were. */
export function keptDefinitions(
  previous: readonly ServerSpec[],
  { servers, refused = [], unreadable }: Pick<LoadedConfiguration, 'servers' | 'refused' | 'unreadable'>,
): readonly ServerSpec[] {
  const names = new Set(servers.map(({ name }) => name))
  const kept = previous.filter(
    ({ name, source }) => unreadable.includes(source.file) || (refused.includes(name) && !names.has(name)),
  )
  const keptNames = new Set(kept.map(({ name }) => name))
  return [...kept, ...servers.filter(({ name }) => !keptNames.has(name))]
}

function printChanges(
  terminal: Terminal,
  { issues, files, unreadable }: LoadedConfiguration,
  report: ApplyReport,
): void {
  printIssues(terminal, issues)
  for (const file of unreadable)
    printError(terminal, `toolbridge: ${printable(file)} was not reloaded; its previous content is in force`)
  if (unreadable.length < files.length && !report.superseded)
    printError(terminal, `toolbridge: reloaded the configuration: ${printable(describeReport(report))}`)
}

/** What was started and stopped. Servers that do not start are reported by themselves. */
export function describeReport({ started, stopped, failed }: ApplyReport): string {
  const failures = new Set(failed.map(({ name }) => name))
  const ready = started.filter((name) => !failures.has(name))
  const gone = stopped.filter((name) => !started.includes(name))
  const changes = [
    ...(ready.length === 0 ? [] : [`started ${ready.join(', ')}`]),
    ...(gone.length === 0 ? [] : [`stopped ${gone.join(', ')}`]),
  ]
  return changes.length === 0 ? 'no server changed' : changes.join('; ')
}
