import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ConfigExplanation, explainConfig, type Issue, type ServerSpec } from '@toolbridge/bridge/config'
import { describe, expect, test } from 'vitest'
import { corpusFiles, goldenOf } from './corpus.ts'

const files = corpusFiles()

describe('what is written in the file', () => {
  test.each(files.map((file) => [file.name, file] as const))(
    '%s is read as its golden file says [C14] [C15] [C16]',
    async (_name, file) => {
      const explanation = explainConfig(file.text, file.options)
      await expect(shown(explanation)).toMatchFileSnapshot(goldenOf(file))
    },
  )
})

test('the corpus has at least 120 files, each with a golden file and none without', () => {
  const here = fileURLToPath(new URL('.', import.meta.url))
  expect(files.length).toBeGreaterThanOrEqual(120)
  const added = files.filter((file) => !existsSync(here + goldenOf(file)))
  expect(
    added.map(({ name }) => name),
    'this run writes the missing golden files; read them, then run again',
  ).toEqual([])
  const expected = new Set(files.map(goldenOf))
  const golden = readdirSync(`${here}golden`).flatMap((group) =>
    readdirSync(`${here}golden/${group}`).map((file) => `golden/${group}/${file}`),
  )
  expect(
    golden.filter((file) => !expected.has(file)),
    'golden files without a file of the corpus; remove them',
  ).toEqual([])
})

test.each(files.filter(({ group }) => group !== 'shapes').map((file) => [file.name, file] as const))(
  '%s is recognised without being named, unless it cannot be read at all',
  (_name, { text, options, group }) => {
    const { dialect } = explainConfig(text, options)
    expect(dialect === '' || dialect === group).toBe(true)
  },
)

/** A line for each server, issue and field that is more than kept. */
function shown({ dialect, servers, issues, fields, inputs, turnedOff }: ConfigExplanation): string {
  const parts = [
    `"dialect": ${JSON.stringify(dialect)}`,
    `"servers": ${lines(servers.map(shownServer))}`,
    `"issues": ${lines(issues.map(shownIssue))}`,
    `"fields": ${lines(fields.filter(({ outcome }) => outcome !== 'kept').map(({ path, outcome, reason }) => `${outcome} ${path}: ${reason}`))}`,
    ...(inputs === undefined ? [] : [`"inputs": ${lines(inputs)}`]),
    ...(turnedOff === undefined ? [] : [`"turnedOff": ${JSON.stringify(turnedOff)}`]),
  ]
  return `{\n  ${parts.join(',\n  ')}\n}\n`
}

function lines(items: readonly unknown[]): string {
  return items.length === 0
    ? '[]'
    : `[\n    ${items.map((item) => JSON.stringify(item)).join(',\n    ')}\n  ]`
}

/** Without what is the same for every server of the dialect. */
function shownServer({ source, dialect: _dialect, preset: _preset, ...spec }: ServerSpec): object {
  return { at: `${source.pointer} ${source.line}:${source.column}`, ...spec }
}

function shownIssue({ severity, code, path, line, column, message, found, expected, fix }: Issue): string {
  const kinds = found === undefined ? '' : ` (found ${found}, expected ${expected})`
  return `${severity} ${code} ${path || '/'} ${line}:${column} ${message}${kinds}; ${fix}`
}
