import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startHttpFixture } from '@toolbridge/testkit/servers'
import { expect, test } from 'vitest'

const root = new URL('../../dist/index.js', import.meta.url)

test('nothing that the root entry can load imports a module of Node or a package [S4-27]', () => {
  const foreign = [...reachableFrom(root)].filter((specifier) => !specifier.startsWith('file:'))
  expect(foreign).toEqual([])
})

test('the walk sees what it should: both entries and every way to import', () => {
  const reached = [...reachableFrom(root)]
  expect(reached).toContain(new URL('../../dist/stdio.js', import.meta.url).href)
  expect(importsOf("import { a } from 'node:fs'\nimport 'b'\nexport * from 'c'\nawait import('d')")).toEqual([
    'node:fs',
    'b',
    'c',
    'd',
  ])
})

test('without Node’s process the client speaks HTTP through fetch [S4-26] [S4-27] [S4-133]', async () => {
  const fixture = await startHttpFixture('hello')
  const script = `
    globalThis.process = undefined
    const { connectMcp } = await import(${JSON.stringify(root.href)})
    const connection = await connectMcp({ url: ${JSON.stringify(fixture.url)} })
    const { content } = await connection.client.callTool('hello', { name: 'browser' })
    console.log(content[0].text)
    await connection.close()
    await connectMcp({ command: 'sh' }).catch((error) => console.log(error.kind, error.message))
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  })
  await fixture.close()
  const message =
    'node:child_process is needed, which only Node and Bun have; in a browser, reach servers by their URL'
  expect(stdout).toBe(`Hello, browser!\nunsupported ${message}\n`)
})

/** Every file and foreign module that an entry can load, now or later. */
function reachableFrom(entry: URL, reached: Set<string> = new Set()): Set<string> {
  if (reached.has(entry.href)) return reached
  reached.add(entry.href)
  for (const specifier of importsOf(readFileSync(entry, 'utf8'))) {
    if (specifier.startsWith('.')) reachableFrom(new URL(specifier, entry), reached)
    else reached.add(specifier)
  }
  return reached
}

/** What a compiled file loads when it runs; imports of types are gone by then. */
function importsOf(source: string): string[] {
  const statements =
    /^(?:import|export)(?:[\w\s{},*$]*\bfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
  return [...source.matchAll(statements)].map(([, static_, dynamic]) => static_ ?? dynamic ?? '')
}
