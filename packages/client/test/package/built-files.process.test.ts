import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const dist = new URL('../../dist/', import.meta.url)

test('an error that one entry throws is recognised with the class of another', async () => {
  const output = await run(`
    import { McpClient, McpError } from './index.js'
    import { StdioTransport } from './stdio.js'
    const client = new McpClient(new StdioTransport({ command: '/nowhere/at/all' }))
    console.log(await client.connect().catch((error) => error instanceof McpError))
  `)
  expect(output).toBe('true')
})

test('a stack trace leads to the source', async () => {
  const output = await run(`
    import { HttpTransport } from './index.js'
    try { new HttpTransport({ url: 'nowhere' }) } catch (error) { console.log(error.stack) }
  `)
  expect(output).toMatch(/client\/src\/http\/http-endpoint\.ts:\d+/)
})

test('the root entry loads few files', () => {
  expect(loadedBy(new URL('index.js', dist)).size).toBeLessThanOrEqual(4)
})

test('every built script has a map that holds its sources', () => {
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      // The bundler's own functions have no sources here.
      name.endsWith('.js') && !name.endsWith('rolldown-runtime.js'),
  )
  const maps = names.map((name) => JSON.parse(readFileSync(new URL(`${name}.map`, dist), 'utf8')))
  expect(names.length).toBeGreaterThan(0)
  for (const { sources, sourcesContent } of maps) expect(sourcesContent).toHaveLength(sources.length)
})

async function run(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--enable-source-maps', '--input-type=module', '-e', script],
    { cwd: fileURLToPath(dist) },
  )
  return stdout.trim()
}

/** A file and all that it imports at once. */
function loadedBy(file: URL, loaded: Set<string> = new Set()): ReadonlySet<string> {
  if (loaded.has(file.href)) return loaded
  loaded.add(file.href)
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\b.*["'](\.[^"']+)["']/gm,
  ))
    loadedBy(new URL(specifier, file), loaded)
  return loaded
}
