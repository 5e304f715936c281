import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { build } from 'vite'
import { readText, root } from './house/repository.ts'

test('client has no dependency of any kind at run time [S4-5]', () => {
  const manifest: Record<string, unknown> = JSON.parse(readText('packages/client/package.json'))
  const kinds = ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundledDependencies']
  expect(kinds.filter((kind) => manifest[kind] !== undefined)).toEqual([])
})

test('no Node built-in is reachable from the root entry of client', async () => {
  expect(await importsLeftBy(join(root, 'packages/client/src/index.ts'))).toEqual([])
})

test('no Node built-in is reachable from the auth entry of client', async () => {
  expect(await importsLeftBy(join(root, 'packages/client/src/auth.ts'))).toEqual([])
})

test('the check sees a Node built-in where there is one', async () => {
  expect(await importsLeftBy(join(root, 'test/house/repository.ts'))).toContain('node:fs')
})

/** Bundles an entry with all it reaches, static and dynamic, and returns the modules that stayed outside. */
async function importsLeftBy(entry: string): Promise<readonly string[]> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      lib: { entry, formats: ['es'] },
      rollupOptions: { external: (id) => id.startsWith('node:') || builtinModules.includes(id) },
    },
  })
  const outputs = Array.isArray(result) ? result : [result]
  const chunks = outputs.flatMap((each) => ('output' in each ? each.output : []))
  const own = new Set(chunks.map((chunk) => chunk.fileName))
  const imports = chunks.flatMap((chunk) =>
    chunk.type === 'chunk' ? [...chunk.imports, ...chunk.dynamicImports] : [],
  )
  return imports.filter((name) => !own.has(name))
}
