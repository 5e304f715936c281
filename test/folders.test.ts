import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderCycles, importsIn } from './house/folder-imports.ts'
import { readText, root } from './house/repository.ts'

const packages = readdirSync(join(root, 'packages'))
const deep: ReadonlySet<string> = new Set(['client', 'bridge'])

test.each(packages)('the folders of %s import each other in one direction only', (name) => {
  expect(folderCycles(importsIn(name), { levels: deep.has(name) ? 2 : 1 })).toEqual({})
})

test.each(['client', 'bridge', 'agent', 'gateway', 'lockbox', 'cli'])(
  'docs/architecture.md lists every folder of %s',
  (name) => {
    const section = readText('docs/architecture.md')
      .split('\n### ')
      .find((text) => text.startsWith(`${name}\n`))
    const rows = section?.split('\n').filter((line) => line.startsWith('|')) ?? []
    const listed = new Set([...rows.join('\n').matchAll(/`([\w-]+)`/g)].map(([, folder]) => folder))
    const folders = readdirSync(join(root, 'packages', name, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
    expect(folders.filter((folder) => !listed.has(folder))).toEqual([])
  },
)

test('folders that import each other are named with the imports of the shorter direction', () => {
  const imports = [
    { from: 'a/one.ts', to: 'b/one.ts' },
    { from: 'a/two.ts', to: 'b/one.ts' },
    { from: 'b/one.ts', to: 'a/two.ts' },
    { from: 'a/x/one.ts', to: 'a/y/one.ts' },
    { from: 'a/y/one.ts', to: 'a/x/one.ts' },
    { from: 'a/one.ts', to: 'index.ts' },
    { from: 'index.ts', to: 'a/one.ts' },
  ]
  expect(folderCycles(imports, { levels: 1 })).toEqual({ 'a <-> b': ['b/one.ts -> a/two.ts'] })
  expect(folderCycles(imports, { levels: 2 })).toEqual({
    'a <-> b': ['b/one.ts -> a/two.ts'],
    'a/x <-> a/y': ['a/x/one.ts -> a/y/one.ts'],
  })
})
