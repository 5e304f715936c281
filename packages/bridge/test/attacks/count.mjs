// Runs the programs of these tests against another checkout that is built, and prints how many of each class lead around a
// rule there: node packages/bridge/test/attacks/count.mjs ../other-checkout [--list]
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createServer } from 'vite'

const classes = [
  'scheme-and-authority',
  'percent-encodings',
  'path-forms',
  'unicode',
  'key-names-and-duplicates',
  'types-and-coercion',
  'lengths',
  'nesting',
]

const [checkout = '.', ...options] = process.argv.slice(2)

/** The built package of the checkout instead of the one that this file belongs to. */
function built(source) {
  const [, name] = /^@toolbridge\/(bridge|client)$/.exec(source) ?? []
  if (name === undefined) return undefined
  const file = join(resolve(checkout), 'packages', name, 'dist', 'index.js')
  return { id: pathToFileURL(file).href, external: true }
}

const server = await createServer({
  configFile: false,
  root: import.meta.dirname,
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, watch: null, ws: false },
  oxc: { target: 'node20' },
  plugins: [{ name: 'other-checkout', enforce: 'pre', resolveId: built }],
})
const print = (line) => process.stdout.write(`${line}\n`)
const load = (file) => server.ssrLoadModule(join(import.meta.dirname, file))

const { bypassesOf } = await load('attack.ts')
let total = 0
for (const name of classes) {
  const [attacks] = Object.values(await load(`programs/${name}.ts`))
  const found = await bypassesOf(attacks)
  total += found.length
  print(`${name}: ${found.length} of ${attacks.length}`)
  if (options.includes('--list')) for (const mechanism of found) print(`  ${mechanism}`)
}
print(`all: ${total}`)
await server.close()
