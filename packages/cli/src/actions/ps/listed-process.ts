import type { RunningServer } from '@toolbridge/client/internal'
import { printable } from '@toolbridge/client/internal'
import { programOf } from './owner-program.ts'

/** A server process as the command prints it. */
export interface ListedProcess {
  /** Name of the server; null if it was started without one. */
  readonly server: string | null
  readonly pid: number
  /** Ids of all processes of the server. */
  readonly processes: readonly number[]
  readonly startedAt: string
  readonly ageSeconds: number
  /** The process that started it, and its program; null if it has ended. */
  readonly owner: { readonly pid: number; readonly program: string | null }
  /** Whether the owner has ended. */
  readonly isOrphan: boolean
}

export function listedProcess({ name, pid, processes, startedAt, owner }: RunningServer): ListedProcess {
  const { isRunning, commandLine } = owner
  return {
    server: name ?? null,
    pid,
    processes,
    startedAt: startedAt.toISOString(),
    ageSeconds: Math.max(0, Math.floor((Date.now() - startedAt.getTime()) / 1_000)),
    owner: { pid: owner.pid, program: isRunning ? programOf(commandLine) : null },
    isOrphan: !isRunning,
  }
}

/** The lines of a table, the heading first. */
export function processTable(listed: readonly ListedProcess[]): readonly string[] {
  const rows = [['SERVER', 'PID', 'AGE', 'OWNER'], ...listed.map(cellsOf)]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}

/** The server in a sentence. */
export function titleOf({ server, pid }: ListedProcess): string {
  return `${nameOf(server)} (pid ${pid})`
}

export function ownerOf({ owner: { pid, program } }: ListedProcess): string {
  return program === null ? `orphan: its owner (pid ${pid}) has ended` : `${oneLine(program)} (pid ${pid})`
}

function cellsOf(listed: ListedProcess): readonly string[] {
  return [nameOf(listed.server), String(listed.pid), ageText(listed.ageSeconds), ownerOf(listed)]
}

function nameOf(server: string | null): string {
  return server === null ? '(no name)' : oneLine(server)
}

function oneLine(text: string): string {
  return printable(text).replaceAll(/\s+/g, ' ')
}

/** The two largest units: `2d 4h`, `12m 5s`. */
function ageText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  const shown = first === -1 ? parts.slice(-1) : parts.slice(first, first + 2)
  return shown.map(([count, unit]) => `${count}${unit}`).join(' ')
}
