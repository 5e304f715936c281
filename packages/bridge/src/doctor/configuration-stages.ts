import { pointerSteps } from '@toolbridge/client/internal'
import type { Issue } from '../config/spec/issue.ts'
import type { ServerSpec } from '../config/spec/server-spec.ts'
import { fine } from './findings.ts'
import { stageOfIssue } from './issue-codes.ts'
import type { Finding, StageResult } from './result.ts'

/** A permission rules file as it was read. */
export interface DiagnosedRules {
  /** Path of the file. */
  readonly file: string
  /** Problems of the file. */
  readonly issues: readonly Issue[]
}

/** A configuration as it was read. */
export interface DiagnosedConfiguration {
  /** The files that were read. Default: none. */
  readonly files?: readonly string[]
  /** Names of the dialects of the files. Default: not known. */
  readonly dialect?: string
  /** The usable servers. */
  readonly servers: readonly ServerSpec[]
  /** Problems of the files and their entries. Default: none. */
  readonly issues?: readonly Issue[]
  /** The permission rules files that apply, with their problems. Default: none. */
  readonly permissions?: readonly DiagnosedRules[]
  /** Servers that the files define but that cannot be used. Default: none. */
  readonly refused?: readonly string[]
}

/** An issue as a finding. Issues contain no configured values. */
export function findingOf(issue: Issue): Finding {
  const { code, severity, message, fix, file, path, line, column } = issue
  const isRemovable = ['field_widens', 'field_restricts', 'field_unknown', 'field_unused'].includes(code)
  return {
    outcome: severity,
    code,
    seen: message,
    fix,
    location: {
      file,
      path,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    },
    ...(isRemovable ? { edit: { kind: 'remove', value: path } } : {}),
  }
}

/** The results of the stages `file`, `permissions` and `dialect`, with those of the entries that cannot be used. */
export function configurationResults(configuration: DiagnosedConfiguration): readonly StageResult[] {
  const { files = [], dialect = '', issues = [], servers } = configuration
  const own = issues.filter((issue) => serverOf(issue, servers) === undefined)
  const found = own.map((issue) => resultOf(issue, configuration))
  const failed = new Set(found.filter(({ outcome }) => outcome === 'error').map(({ stage }) => stage))
  return [
    ...(failed.has('file') || files.length === 0
      ? []
      : [{ stage: 'file' as const, ...fine(`read ${files.join(', ')}`) }]),
    ...permissionResults(configuration),
    ...(failed.size > 0 || dialect === ''
      ? []
      : [{ stage: 'dialect' as const, ...fine(`the format is ${dialect}`, { dialect }) }]),
    ...found,
  ]
}

/** Rules files with errors prevent the use of all servers. */
function permissionResults({ permissions = [] }: DiagnosedConfiguration): readonly StageResult[] {
  const issues = permissions.flatMap((each) => each.issues)
  const stage = 'permissions'
  if (issues.length > 0) return issues.map((issue) => ({ stage, ...findingOf(issue) }))
  const files = permissions.map(({ file }) => file).join(', ')
  return files === '' ? [] : [{ stage, ...fine(`read ${files}`) }]
}

function resultOf(issue: Issue, { refused = [] }: DiagnosedConfiguration): StageResult {
  const steps = pointerSteps(issue.path)
  const server = refused.find((name) => steps.includes(name))
  return { ...(server === undefined ? {} : { server }), stage: stageOfIssue(issue.code), ...findingOf(issue) }
}

/** The issues of one usable entry, by stage. */
export function entryIssues(
  spec: ServerSpec,
  { issues = [], servers }: DiagnosedConfiguration,
): readonly Issue[] {
  return issues.filter((issue) => serverOf(issue, servers) === spec)
}

function serverOf({ file, path }: Issue, servers: readonly ServerSpec[]): ServerSpec | undefined {
  return servers.find(
    ({ source }) =>
      source.file === file && (path === source.pointer || path.startsWith(`${source.pointer}/`)),
  )
}
