import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { requirements } from './requirements.ts'

/** Where each id is cited: at the end of the titles of tests. */
const citations = new Map<string, string[]>()
for (const file of testFiles()) {
  for (const id of citedIn(readFileSync(new URL(file, import.meta.url), 'utf8'))) {
    citations.set(id, [...(citations.get(id) ?? []), file])
  }
}

test('every behaviour has an id of its own and applies to some revision', () => {
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length)
  expect(requirements.filter(({ levels }) => levels === '-----')).toEqual([])
})

test('every behaviour that is not planned is proven by a test that cites it', () => {
  const held = requirements.filter(({ status }) => status !== 'planned').map(({ id }) => id)
  expect(held.filter((id) => !citations.has(id))).toEqual([])
})

test('every cited id exists', () => {
  const known = new Set(requirements.map(({ id }) => id))
  expect([...citations].filter(([id]) => !known.has(id))).toEqual([])
})

test('a planned behaviour that a test proves is planned no more: its status must go', () => {
  const planned = requirements.filter(({ status }) => status === 'planned').map(({ id }) => id)
  expect(planned.filter((id) => citations.has(id))).toEqual([])
})

test('docs/protocol-support.md is what scripts/generate-protocol-support.mjs makes of these [S3-50]', () => {
  const script = fileURLToPath(new URL('../../../scripts/generate-protocol-support.mjs', import.meta.url))
  execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })
})

test('ids are read from the end of titles and from nowhere else', () => {
  const lines = [
    "test('a [B1 B2]', …)",
    'test(`b [F10]`, …)',
    "test('d [F11] [S4-2] [C13 H1]', …)",
    "const list = ['B3']",
    '// see [B4]',
    "'[B5] c'",
    "test('d [D5] [C1]', …)",
    "test('e, advisory [H2]', …)",
    "test('f, advisory [A4] [F12]', …)",
  ]
  expect(citedIn(lines.join('\n'))).toEqual(['B1', 'B2', 'F10', 'F11', 'H1', 'F12'])
})

function testFiles(): readonly string[] {
  const files = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.ts') && !file.startsWith('requirements'))
}

/** Ids of `docs/requirements.md`, such as S4-2 or C13, may stand beside them; those of advisories stand after that word. */
function citedIn(source: string): readonly string[] {
  const endings = source.matchAll(/(?<!\badvisory)((?: \[[^\][]+\])+)['"`]/g)
  const ids = [...endings].flatMap(([, groups = '']) => groups.match(/[\w.-]+/g) ?? [])
  return ids.filter((id) => /^[ABE-Z]\d+$/.test(id))
}
