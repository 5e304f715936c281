import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError, type PermissionMode, type PermissionRules } from '@toolbridge/bridge'
import { type Issue, readConfigText } from '@toolbridge/bridge/config'
import { checkPermissions, permissionFilesBeside, readPermissions } from '@toolbridge/bridge/permissions'
import { type Options, textOption, textOptions } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { ownFolder } from '../trust.ts'
import { UsageError } from '../usage-error.ts'
import { type RulesFile, type SourcedRule, sourcedRules } from './sourced-rules.ts'

/** The permission rules of a command. */
export interface EffectivePermissions {
  /** The rules for a bridge. */
  readonly rules: PermissionRules
  /** The files, in order of precedence. */
  readonly files: readonly RulesFile[]
  /** Every rule with its source: by set, kind and position. */
  readonly sourced: readonly SourcedRule[]
  /** The mode of the user's own rules, and where it is set. */
  readonly mode: { readonly value: PermissionMode; readonly from: RulesFile | '--mode' | 'default' }
}

/**
 * Reads the rules for a command that uses these configuration files: flags, the file of `--permissions`, the user's own
 * `permissions.json`, and the files beside the configuration unless `--permissions` names one. A file that was found only
 * restricts: it may have come with a project. `defaultMode` is for calls without a rule, where no file sets a mode. Throws if a
 * flag or a file is invalid.
 */
export async function effectivePermissions(
  terminal: Terminal,
  options: Options,
  configFiles: readonly string[],
  defaultMode: PermissionMode = modeOfCalls,
): Promise<EffectivePermissions> {
  checkFlags(options)
  const files = await readRulesFiles(terminal, options, configFiles)
  const errors = files.flatMap(({ issues }) => issues).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw ConfigError.of(errors)
  const mode = modeOf(options, files, defaultMode)
  return {
    files,
    mode,
    sourced: sourcedRules(options, files),
    rules: combined(terminal, options, files, configFiles, mode.value),
  }
}

function checkFlags(options: Options): void {
  for (const kind of ['allow', 'ask', 'deny'] as const)
    for (const rule of textOptions(options, kind)) checkFlag(kind, { [kind]: [rule] })
  const mode = textOption(options, 'mode')
  if (mode !== undefined) checkFlag('mode', { mode })
}

function checkFlag(flag: string, rules: unknown): void {
  try {
    checkPermissions(rules)
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(`invalid --${flag}: ${error.message}`)
    throw error
  }
}

/** The paths at which rules are searched, which need not exist. */
interface RulesPaths {
  readonly named: string | undefined
  readonly own: string
  readonly beside: readonly string[]
}

function rulesPaths(terminal: Terminal, options: Options, configFiles: readonly string[]): RulesPaths {
  const flag = textOption(options, 'permissions')
  const own = ownRulesFile(terminal)
  if (flag !== undefined) return { named: resolve(terminal.cwd, flag), own, beside: [] }
  return { named: undefined, own, beside: [...new Set(configFiles.flatMap(permissionFilesBeside))] }
}

/** All files that `effectivePermissions` reads if they exist. */
export function possibleRulesFiles(...search: Parameters<typeof rulesPaths>): readonly string[] {
  const { named, own, beside } = rulesPaths(...search)
  return [...(named === undefined ? [] : [named]), own, ...beside]
}

/** Reads the files of `effectivePermissions`. Problems of a file are its issues. */
export async function readRulesFiles(
  terminal: Terminal,
  options: Options,
  configFiles: readonly string[],
): Promise<readonly RulesFile[]> {
  const { named, own, beside } = rulesPaths(terminal, options, configFiles)
  const others = beside.filter((file) => !isSameFile(file, own))
  const found = await Promise.all(others.map((file) => readIfExists(file, 'found')))
  return [
    ...(named === undefined ? [] : [await readNamed(named)]),
    ...(named !== undefined && isSameFile(named, own) ? [] : await readIfExists(own, 'own')),
    ...found.flat(),
  ]
}

/** The rules of the user of this machine, which hold for every configuration. */
export function ownRulesFile(terminal: Terminal): string {
  return join(ownFolder(terminal), 'permissions.json')
}

/** Compares paths by the file they lead to. */
function isSameFile(one: string, other: string): boolean {
  return realFile(one) === realFile(other)
}

/** Synchronous, because Node's thread pool and `node:fs/promises` take milliseconds to start, before the first server. */
function realFile(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

async function readNamed(file: string): Promise<RulesFile> {
  return rulesFile(file, 'named', await readConfigText(file))
}

async function readIfExists(file: string, role: RulesFile['role']): Promise<readonly RulesFile[]> {
  const text = await readConfigText(file)
  return typeof text !== 'string' && text.code === 'file_missing' ? [] : [rulesFile(file, role, text)]
}

/** A file that cannot be read is an error: it could deny something. */
function rulesFile(file: string, role: RulesFile['role'], text: string | Issue): RulesFile {
  if (typeof text === 'string') return { ...readPermissions(text, { file }), role }
  const positions = { mode: undefined, allow: [], ask: [], deny: [] }
  return { file, role, form: 'toolbridge', rules: {}, positions, issues: [text] }
}

/** Typing a call approves it, and hosts ask their users themselves. */
const modeOfCalls = 'allow'

function combined(
  terminal: Terminal,
  options: Options,
  files: readonly RulesFile[],
  configFiles: readonly string[],
  mode: PermissionMode,
): PermissionRules {
  const mine = files.filter(({ role }) => role !== 'found')
  const all = <Field extends 'allow' | 'ask' | 'deny' | 'trustAnnotations' | 'controlFiles'>(
    field: Field,
  ): NonNullable<PermissionRules[Field]>[number][] => mine.flatMap(({ rules }) => rules[field] ?? [])
  return {
    mode,
    allow: all('allow'),
    ask: [...textOptions(options, 'ask'), ...all('ask')],
    deny: [...textOptions(options, 'deny'), ...all('deny')],
    trustAnnotations: all('trustAnnotations'),
    controlFiles: [
      `${ownFolder(terminal)}/*`,
      ...configFiles.flatMap(permissionFilesBeside),
      ...files.map(({ file }) => file),
      ...all('controlFiles'),
    ],
    approve: textOptions(options, 'allow'),
    restrictedBy: files.filter(({ role }) => role === 'found').map(restriction),
  }
}

function modeOf(
  options: Options,
  files: readonly RulesFile[],
  defaultMode: PermissionMode,
): EffectivePermissions['mode'] {
  const flag = textOption(options, 'mode')
  // The flag has been checked.
  if (flag !== undefined) return { value: flag as PermissionMode, from: '--mode' }
  const from = files.find(({ role, rules }) => role !== 'found' && rules.mode !== undefined)
  return { value: from?.rules.mode ?? defaultMode, from: from ?? 'default' }
}

/** A file without a mode restricts only what its rules name. */
function restriction({ rules }: RulesFile): PermissionRules {
  return { ...rules, mode: rules.mode ?? modeOfCalls }
}
