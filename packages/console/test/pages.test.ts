import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pages } from '../src/shell/pages.ts'

test('the README describes every page of the navigation', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const described = new Set([...readme.matchAll(/^\| (\w+) /gm)].map(([, title]) => title))
  const listed = pages.filter(({ isUnlisted = false }) => !isUnlisted)
  expect(listed.map(({ title }) => title).filter((title) => !described.has(title))).toEqual([])
})
