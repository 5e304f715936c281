import { readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { isJsonObject } from '@toolbridge/client/internal'
import { stages } from '@toolbridge/bridge/doctor'
import { printError, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { versionLine } from '../version.ts'
import type { DoctorReport } from './doctor-report.ts'

const format = 'toolbridge-doctor-1'

/** Writes a report to a new file, to be sent to somebody else. The home folder is written as `~`. */
export async function writeBundle(path: string, report: DoctorReport, terminal: Terminal): Promise<void> {
  const file = resolve(terminal.cwd, path)
  const { platform, arch, version: node } = process
  const about = { format, toolbridge: versionLine(), node, platform, arch, at: new Date().toISOString() }
  const text = `${JSON.stringify({ ...about, report }, null, 2)}\n`
  const home = terminal.env['HOME'] ?? homedir()
  try {
    await writeFile(file, withoutHome(text, home), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    const why = reason === 'EEXIST' ? 'it exists; name a new file' : reason
    throw new UsageError(`cannot write --bundle ${path}: ${why}`)
  }
  printError(terminal, `toolbridge: wrote ${file}; show it with: toolbridge doctor --replay ${path}`)
}

function withoutHome(text: string, home: string): string {
  const written = JSON.stringify(home).slice(1, -1)
  return home.length < 2 ? text : text.replaceAll(new RegExp(`${escaped(written)}(?=[/\\\\",: ])`, 'g'), '~')
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Reads a report that `writeBundle` wrote. */
export async function readBundle(path: string, { cwd }: Terminal): Promise<DoctorReport> {
  const text = await readFile(resolve(cwd, path), 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new UsageError(`cannot read --replay ${path}: ${reason}`)
  })
  const report = reportIn(text)
  if (report === undefined) throw new UsageError(`--replay ${path} is not a file that doctor --bundle wrote`)
  return report
}

function reportIn(text: string): DoctorReport | undefined {
  try {
    const bundle: unknown = JSON.parse(text)
    if (!isJsonObject(bundle) || bundle['format'] !== format) return undefined
    return isReport(bundle['report']) ? bundle['report'] : undefined
  } catch {
    return undefined
  }
}

function isReport(value: unknown): value is DoctorReport {
  if (!isJsonObject(value)) return false
  const { path, dialect, servers, results } = value
  return (
    isTextOrNull(path) &&
    isTextOrNull(dialect) &&
    Array.isArray(servers) &&
    servers.every(
      (server) =>
        isJsonObject(server) && typeof server['name'] === 'string' && isTextOrNull(server['transport']),
    ) &&
    Array.isArray(results) &&
    results.every(isResult)
  )
}

const knownStages: ReadonlySet<unknown> = new Set(stages)
const outcomes: ReadonlySet<unknown> = new Set(['ok', 'warning', 'error', 'skipped'])

function isResult(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { stage, outcome, code, seen, fix = '', stderr = [], facts = {}, location } = value
  return (
    knownStages.has(stage) &&
    outcomes.has(outcome) &&
    [code, seen, fix].every((text) => typeof text === 'string') &&
    Array.isArray(stderr) &&
    stderr.every((line) => typeof line === 'string') &&
    isJsonObject(facts) &&
    (location === undefined || (isJsonObject(location) && typeof location['file'] === 'string'))
  )
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}
