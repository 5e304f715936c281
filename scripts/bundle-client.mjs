// Puts the modules of the client together, a file for each entry and a few that entries share: loading sixty small
// files took 25 ms, loading these takes 4. Declarations are the compiler's, beside them.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { replaceFile } from './replace-file.mjs'

const root = fileURLToPath(new URL('../packages/client', import.meta.url))
const dist = join(root, 'dist')

const common = new Set([
  'http/mcp-authorization.ts',
  'network/connection-options.ts',
  'network/connector.ts',
  'features/pages.ts',
  'runtime/node-builtins.ts',
  'timing/delay.ts',
  'revisions/response-cache.ts',
  'model/tasks-extension.ts',
  'transports/messages/answered-id.ts',
])

/**
 * What is kept together, with all that it imports. Left alone, the bundler makes a file for each set of entries that
 * share something, and most of them hold a few lines.
 */
const pieces = [
  // Everything that a page needs to connect, list and call over HTTP; every entry shares it.
  { name: 'core', test: /\/src\/connect\.ts$/, priority: 2 },
  // The small things that several of the others need and a page does not.
  { name: 'common', test: (path) => common.has(relative(join(root, 'src'), path)), priority: 1 },
]

const files = await bundle(entriesOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))))
for (const [name, text] of files) replaceFile(join(dist, name), text)
for (const name of scriptsBelow('.')) if (!files.has(name)) rmSync(join(dist, name), { force: true })

/** The entries by name: what the manifest exports, from where the sources are. */
function entriesOf({ exports }) {
  const sources = Object.values(exports).map((conditions) => conditions['@toolbridge/source'])
  return Object.fromEntries(sources.map((source) => [/([^/]+)\.ts$/.exec(source)[1], join(root, source)]))
}

/** The text of each file by its name. What is imported when needed stays a file of its own. */
async function bundle(entry) {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    root,
    build: {
      write: false,
      minify: false,
      sourcemap: true,
      target: 'es2023',
      lib: { entry, formats: ['es'] },
      rolldownOptions: {
        output: {
          chunkFileNames: 'shared/[name].js',
          // What names are annotated with helps those who bundle again; what they mean is in the declarations.
          comments: { annotation: true, jsdoc: false, legal: false },
          codeSplitting: { groups: pieces },
        },
      },
    },
  })
  const written = [output].flat().flatMap(({ output: parts }) => parts)
  return new Map(written.map((part) => [part.fileName, part.type === 'chunk' ? part.code : part.source]))
}

/** The scripts and their maps, as paths inside the folder of built files. */
function scriptsBelow(folder) {
  return readdirSync(join(dist, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return scriptsBelow(path)
    return /\.js(\.map)?$/.test(entry.name) ? [path] : []
  })
}
