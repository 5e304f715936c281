import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { dialects } from '../../../src/config/dialects/all.ts'

test('docs/dialects.md is what the tables say', () => {
  const root = fileURLToPath(new URL('../../../../..', import.meta.url))
  // Throws when it is not; what to do then is on stderr.
  execFileSync(process.execPath, ['scripts/generate-dialects.mjs', '--check'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
})

test('there is a dialect for each of the five sources and the fifteen hosts, and each says where its files are', () => {
  expect(dialects).toHaveLength(1 + 5 + 15)
  expect(dialects.filter(({ locations }) => locations.length === 0).map(({ name }) => name)).toEqual([
    'llm-sdk',
  ])
  expect(new Set(dialects.map(({ name }) => name)).size).toBe(dialects.length)
})

test('locations are relative to a project or the home folder, or absolute', () => {
  const locations = dialects.flatMap((dialect) => dialect.locations)
  expect(locations.filter(({ scope, path }) => scope === 'project' && /^[~/%]/.test(path))).toEqual([])
  expect(locations.filter(({ scope, path }) => scope === 'user' && !/^(?:~|%APPDATA%)\//.test(path))).toEqual(
    [],
  )
  expect(
    locations.filter(({ scope, path }) => scope === 'managed' && !/^(?:\/|[A-Z]:\/)/.test(path)),
  ).toEqual([])
})

test('the policy about variables says what the tables of syntaxes do', () => {
  for (const { name, preset, variables } of dialects) {
    const fields = preset['vars.fields'] ?? 'all'
    const specFields = Object.keys(variables).toSorted()
    if (fields === 'none') expect(specFields, name).toEqual([])
    else if (fields === 'all') expect(specFields, name).toContain('everything')
    else expect(specFields, name).toEqual([...fields].toSorted())
  }
})
