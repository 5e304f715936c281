import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ownCodes } from '../../src/doctor/codes.ts'
import { issueCodes } from '../../src/doctor/issue-codes.ts'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))
const page = readFileSync(join(repository, 'docs/doctor.md'), 'utf8')

function rowsOf(table: Readonly<Record<string, Readonly<Record<string, string>>>>): readonly string[] {
  return Object.entries(table).flatMap(([stage, codes]) =>
    Object.entries(codes).map(([code, meaning]) => `| ${stage} | \`${code}\` | ${meaning} |`),
  )
}

function rowsBelow(heading: string): readonly string[] {
  const section = page.split('\n## ').find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const lines = section.split('\n').map((line) => line.replaceAll(/ +/g, ' '))
  return lines.filter((line) => /^\| [\w-]+ \| `/.test(line))
}

test('docs/doctor.md lists every code of a finding with its stage and meaning', () => {
  expect(rowsBelow('Codes')).toEqual(rowsOf(ownCodes))
})

test('docs/doctor.md lists every code of an issue with its stage and meaning', () => {
  expect(rowsBelow('Codes of issues in configuration files')).toEqual(rowsOf(issueCodes))
})

/** Codes of edits and reports, which a diagnosis does not have as issues. */
const otherCodes = [
  'command_invalid',
  'disabled',
  'edit_conflict',
  'edit_refused',
  'file_unwritable',
  'program_missing',
  'server_exists',
  'server_unknown',
  'untrusted',
]

test('every issue that reading and resolving a configuration can report has a meaning', () => {
  const config = join(repository, 'packages/bridge/src/config')
  const sources = readdirSync(config, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const used = sources.flatMap((file) =>
    [
      ...readFileSync(join(config, file), 'utf8').matchAll(
        /(?:code: |#report\(\s*|dialectProblem\(\s*[^,]+,\s*)'([a-z]+(?:_[a-z]+)*)'/g,
      ),
    ].map(([, code = '']) => code),
  )
  const known = Object.values(issueCodes).flatMap((codes) => Object.keys(codes))
  expect([...new Set(used)].filter((code) => !otherCodes.includes(code)).toSorted()).toEqual(known.toSorted())
})
