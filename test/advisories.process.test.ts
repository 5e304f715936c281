import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { advisoryIdsIn, plainTitle, requirementIdsIn } from '../scripts/test-titles.mjs'
import { advisories } from './advisories.ts'
import { readText, root } from './house/repository.ts'

test('every advisory has a test, every id in a title is an advisory, and docs/advisories.md is current', () => {
  expect(readText('docs/advisories.md')).toContain('shown by')
  execFileSync(process.execPath, ['scripts/generate-advisories.mjs', '--check'], { cwd: root, stdio: 'pipe' })
})

test('every mistake has an id of its own and is told in one row of a table', () => {
  expect(new Set(advisories.map(({ id }) => id)).size).toBe(advisories.length)
  const texts = advisories.flatMap(({ sources, mistake, here }) => [...sources, mistake, here])
  expect(texts.filter((text) => /[\n|]/.test(text) || text === '')).toEqual([])
})

test('an id of an advisory is none of a requirement, though both are a letter and a number', () => {
  const title = 'a title, advisory [C2 G1] [C5 S0-3]'
  expect(advisoryIdsIn(title)).toEqual(['C2', 'G1'])
  expect(requirementIdsIn(title)).toEqual(['C5', 'S0-3'])
  expect(plainTitle(title)).toBe('a title')
})
