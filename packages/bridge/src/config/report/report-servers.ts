import { pointerSteps } from '@toolbridge/client/internal'
import { ownValue } from '../fields/take-field.ts'
import type { ConfigReading } from '../read/read-config.ts'
import {
  type MergedServer,
  type MergeSource,
  mergeConfigs,
  type RefusedServer,
} from '../sources/merge-configs.ts'
import type { Issue } from '../spec/issue.ts'
import type { Authority, ServerSpec, SpecTimeouts } from '../spec/server-spec.ts'
import { entryHash, needsTrust, type TrustStore } from '../trust/trust-store.ts'
import { type CheckedDefinition, checkDefinition } from './effective-definition.ts'
import type { ServerReport, ServerState, StateReason } from './server-report.ts'

/** Options of `reportServers`. */
export interface ReportOptions {
  /** What the variables of definitions may use. */
  readonly authority: Authority
  /** Entries of project files that are trusted. Default: none. */
  readonly trust?: Pick<TrustStore, 'isTrusted'>
  /** Timeouts of servers that set none. Default: 30 s for a start, 60 s for a call. */
  readonly timeouts?: SpecTimeouts
}

/**
 * Merges configurations and reports for each server whether it starts, and why not, and what runs: its program or URL,
 * tools, approval, timeouts and environment. Refused servers are reported too. Starts nothing, contains no values, and
 * does not look at files that untrusted entries name.
 */
export async function reportServers(
  sources: readonly MergeSource[],
  options: ReportOptions,
): Promise<readonly ServerReport[]> {
  const { servers, refused } = mergeConfigs(sources)
  const usable = await Promise.all(servers.map((server) => reportUsable(server, sources, options)))
  return [...usable, ...refused.map((server) => reportRefused(server, sources))]
}

async function reportUsable(
  { spec, scope, shadowed, turnedOffBy }: MergedServer,
  sources: readonly MergeSource[],
  options: ReportOptions,
): Promise<ServerReport> {
  const { file, line, column } = spec.source
  const isTrusted = !needsTrust(spec) || (await isInStore(spec, options.trust))
  const checked = await checkDefinition(spec, { ...options, isTrusted })
  const { state, reasons } = !spec.enabled
    ? { state: 'off' as const, reasons: [disabledReason(spec, turnedOffBy ?? file, sources)] }
    : isTrusted
      ? startState(spec, checked)
      : { state: 'untrusted' as const, reasons: [untrustedReason(spec)] }
  return {
    name: spec.name,
    state,
    reasons,
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    scope,
    ...(spec.dialect === undefined ? {} : { dialect: spec.dialect }),
    shadowed,
    definition: checked.definition,
  }
}

async function isInStore(spec: ServerSpec, trust: ReportOptions['trust']): Promise<boolean> {
  return (await trust?.isTrusted(entryHash(spec)).catch(() => false)) === true
}

function disabledReason(spec: ServerSpec, file: string, sources: readonly MergeSource[]): StateReason {
  const positions = sources.find((source) => source.file === file)?.reading.positions
  const position = ownValue(positions?.disabled ?? {}, spec.name) ?? positions?.onlyEnabled
  if (position === undefined) return { code: 'disabled', message: 'it is disabled', file, fix: 'enable it' }
  const isLeftOut = position.path === positions?.onlyEnabled?.path
  return { code: 'disabled', ...disabledBy(position.path, spec, isLeftOut), file, ...position }
}

function disabledBy(
  path: string,
  { name, source }: ServerSpec,
  isLeftOut: boolean,
): Pick<StateReason, 'message' | 'fix'> {
  const keys = pointerSteps(path)
  const key = keys.at(-1) ?? ''
  if (isLeftOut) return { message: `the list "${key}" does not name it`, fix: 'add it to the list' }
  const fix = 'remove that field, or change its value'
  if (path.startsWith(`${source.pointer}/`)) return { message: `its field "${key}" disables it`, fix }
  const isEntry = keys.length > 2 && keys.at(-2) === name
  if (isEntry) return { message: `the field "${key}" of another entry disables it`, fix }
  return { message: `the list "${key}" names it`, fix: 'remove it from the list' }
}

function untrustedReason({ source: { file } }: ServerSpec): StateReason {
  return {
    code: 'untrusted',
    message: 'its entry comes with the project and is not trusted',
    file,
    fix: 'check the entry, then trust it: toolbridge config trust',
  }
}

function startState(
  spec: ServerSpec,
  { definition: { program }, errors }: CheckedDefinition,
): { readonly state: ServerState; readonly reasons: readonly StateReason[] } {
  if (errors.length > 0)
    return { state: 'failing', reasons: errors.map((issue) => reasonOf(issue, spec.name)) }
  if (program?.isFound !== false) return { state: 'on', reasons: [] }
  const { file, pointer, line, column } = spec.source
  const reason = {
    code: 'program_missing',
    message: `the program "${program.command}" is not found`,
    file,
    path: pointer,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    fix: 'install it, or correct the command or PATH',
  }
  return { state: 'failing', reasons: [reason] }
}

function reportRefused(
  { name, file, scope, shadowed }: RefusedServer,
  sources: readonly MergeSource[],
): ServerReport {
  const reading = sources.find(
    (source) => source.file === file && source.reading.refused?.includes(name),
  )?.reading
  const position = ownValue(reading?.positions?.refused ?? {}, name)
  const { line, column } = position ?? {}
  return {
    name,
    state: 'refused',
    reasons: reading === undefined ? [] : refusals(name, reading).map((issue) => reasonOf(issue, name)),
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    scope,
    ...(reading?.dialect === undefined ? {} : { dialect: reading.dialect }),
    shadowed,
  }
}

/** The errors of an entry, or else those outside of all entries, which refuse every server. */
function refusals(
  name: string,
  { issues, positions }: Pick<ConfigReading, 'issues' | 'positions'>,
): readonly Issue[] {
  const errors = issues.filter(({ severity }) => severity === 'error')
  const path = ownValue(positions?.refused ?? {}, name)?.path
  const own = errors.filter((issue) => path !== undefined && isWithin(issue.path, path))
  if (own.length > 0) return own
  const entries = Object.values(positions?.refused ?? {})
  return errors.filter((issue) => !entries.some((entry) => isWithin(issue.path, entry.path)))
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`)
}

function reasonOf({ code, message, file, path, line, column, fix }: Issue, name: string): StateReason {
  const prefix = `server "${name}": `
  return {
    code,
    message: message.startsWith(prefix) ? message.slice(prefix.length) : message,
    file,
    path,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    fix,
  }
}
