import { LATEST_MODERN_VERSION, supportedVersions } from '@toolbridge/client/internal'
import type { StageResult } from '@toolbridge/bridge/doctor'
import { type DoctorReport, isIssue, resultsOf } from './doctor-report.ts'
import type { FruitlessSearch } from '../no-configuration-error.ts'
import { initializeState, stateOf, toolsState } from './server-state.ts'

/** The report as `--format json` prints it. */
export function jsonReport(report: DoctorReport): { readonly mcp: object } {
  const { path, dialect, servers } = report
  const own = resultsOf(report, undefined)
  const issues = report.results.filter(isIssue).filter(({ server }) => !isUsable(report, server))
  return {
    mcp: {
      path,
      exists: path !== null && !own.some(({ code }) => code === 'file_missing'),
      dialect,
      issues: issues.map(issueOf),
      protocol: { latest: LATEST_MODERN_VERSION, supported: supportedVersions() },
      stages: own,
      servers: servers.map((server) => jsonServer(report, server)),
    },
  }
}

/** The report without a configuration: where it was looked for. */
export function jsonWithout(search: FruitlessSearch): object {
  const { mcp } = jsonReport({ path: null, dialect: null, isActive: false, servers: [], results: [] })
  return { mcp: { ...mcp, ...search } }
}

function isUsable({ servers }: DoctorReport, name: string | undefined): boolean {
  return servers.some((server) => server.name === name && server.transport !== null)
}

function jsonServer(
  report: DoctorReport,
  { name, transport, config }: DoctorReport['servers'][number],
): object {
  const results = resultsOf(report, name)
  return {
    id: name,
    type: transport,
    supported: transport !== null,
    state: stateOf(results),
    issues: results.filter(isIssue).map(issueOf),
    config,
    active: { initialize: initializeState(results), tools: toolsState(results) },
    stages: results.map(({ server: _server, ...result }) => result),
  }
}

/** A finding about a configuration file in the form of an issue. */
function issueOf({ code, outcome, seen, fix, location }: StageResult): object {
  return { code, severity: outcome, ...location, message: seen, fix }
}
