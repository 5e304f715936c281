import type { Issue } from '../config/spec/issue.ts'
import type { ServerSpec } from '../config/spec/server-spec.ts'
import { fine } from './findings.ts'
import { stageOfIssue } from './issue-codes.ts'
import type { Finding, StageResult } from './result.ts'

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

/** The results of the stages `file` and `dialect`, with those of the entries that cannot be used. */
export function configurationResults(configuration: DiagnosedConfiguration): readonly StageResult[] {
  const { files = [], dialect = '', issues = [], servers } = configuration
  const own = issues.filter((issue) => serverOf(issue, servers) === undefined)
  const found = own.map((issue) => resultOf(issue, configuration))
  const failed = new Set(found.filter(({ outcome }) => outcome === 'error').map(({ stage }) => stage))
  return [
    ...(failed.has('file') || files.length === 0
      ? []
      : [{ stage: 'file' as const, ...fine(`read ${files.join(', ')}`) }]),
    ...(failed.size > 0 || dialect === ''
      ? []
      : [{ stage: 'dialect' as const, ...fine(`the format is ${dialect}`, { dialect }) }]),
    ...found,
  ]
}

function resultOf(issue: Issue, { refused = [] }: DiagnosedConfiguration): StageResult {
  const steps = stepsOf(issue.path)
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

function stepsOf(pointer: string): readonly string[] {
  return pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
