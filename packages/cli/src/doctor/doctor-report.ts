import type { EffectiveDefinition } from '@toolbridge/bridge/config'
import type { StageResult } from '@toolbridge/bridge/doctor'
import { ExitCode } from '../exit-code.ts'

/** A server of a report. */
export interface DoctorServer {
  readonly name: string
  /** Null if its entry cannot be used. */
  readonly transport: string | null
  /** What would run, without values. Null if its entry cannot be used. */
  readonly config: EffectiveDefinition | null
}

/** Everything that `doctor` prints. Contains no secrets. */
export interface DoctorReport {
  /** The configuration file, or the list of merged files. Null if there is none. */
  readonly path: string | null
  /** The format of the file. Null if it was not recognized. */
  readonly dialect: string | null
  /** Whether servers were started. */
  readonly isActive: boolean
  readonly servers: readonly DoctorServer[]
  readonly results: readonly StageResult[]
}

/** The results of one server, or of the configuration as a whole. */
export function resultsOf(report: DoctorReport, server: string | undefined): readonly StageResult[] {
  return report.results.filter((result) => result.server === server)
}

/** Findings about the text of a configuration file, which have a position. */
export function isIssue({ stage, outcome }: StageResult): boolean {
  return configStages.has(stage) && (outcome === 'warning' || outcome === 'error')
}

const configStages: ReadonlySet<string> = new Set(['file', 'permissions', 'dialect', 'variables'])

/** Exit status: of the worst finding. With `isStrict`, warnings count as errors. */
export function exitCodeOf({ results }: DoctorReport, isStrict: boolean): ExitCode {
  const problems = results.filter(({ outcome }) => outcome === 'error' || (isStrict && outcome === 'warning'))
  if (problems.length === 0) return ExitCode.Ok
  if (problems.some(isIssue)) return ExitCode.Config
  return problems.every(({ code }) => code === 'untrusted') ? ExitCode.Denied : ExitCode.Link
}
