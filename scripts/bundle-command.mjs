// Bundles the command for a fast start: CommonJS, which Node loads in half the time, and one file with the packages it
// uses, whose compiled code can be cached.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

/** Returns the text of each file by its path in `dist`. */
export async function bundleCommand(root) {
  const main = await bundle(root, { main: join(root, 'src/main.ts') })
  const standalone = await bundle(root, { standalone: join(root, 'src/standalone.ts') })
  return new Map(
    [...main, ...standalone].map(({ fileName, code }) => [
      fileName,
      finished(fileName, withLazyBuiltins(code)),
    ]),
  )
}

function finished(fileName, code) {
  if (fileName !== 'standalone.cjs') return asciiOnly(code)
  if (/[^.\w]import\(/.test(code)) throw new Error('code from a cache cannot import ES modules; use a chunk')
  return withHash(asFunction(asciiOnly(code)))
}

async function bundle(root, input) {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    root,
    plugins: [libraries],
    ssr: {
      noExternal: ['@toolbridge/bridge', '@toolbridge/client', 'jsonc-parser'],
      external: ['@clack/prompts'],
      resolve: { conditions: ['@toolbridge/source', 'node'] },
    },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'es2023',
      rolldownOptions: {
        input,
        external: /^(?:#|node:|@toolbridge\/(?:gateway|console)$)/,
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'standalone/[name].cjs',
          comments: { annotation: false, jsdoc: false, legal: false },
          codeSplitting: { groups: [{ name: (id, context) => entryOf(id, input, context) }] },
        },
      },
    },
  })
  return [output].flat().flatMap(({ output: parts }) => parts)
}

/** The name of the entry that imports a module statically: these modules are in one file with it. */
function entryOf(id, input, context) {
  return Object.keys(input).find((name) => isLoadedBy(input[name], id, context)) ?? null
}

function isLoadedBy(entry, id, context, seen = new Set()) {
  if (id === entry) return true
  if (seen.has(id)) return false
  seen.add(id)
  const importers = context.getModuleInfo(id)?.importers ?? []
  return importers.some((importer) => isLoadedBy(entry, importer, context, seen))
}

/**
 * The parser of JSON with comments is part of the file, because every configuration needs it. The other libraries of the
 * bridge are loaded on first use; only the bridge depends on them, so they are found from there.
 *
 * @type {import('vite').Plugin}
 */
const libraries = {
  name: 'libraries',
  enforce: 'pre',
  load(id) {
    if (id.endsWith('/json-library.ts'))
      return `import * as library from 'jsonc-parser'
        export const jsonc = () => library`
    if (id.endsWith('/lazy-library.ts'))
      return `import { createRequire } from 'node:module'
        export function lazyLibrary(name) {
          let loaded
          return () => (loaded ??= load(name))
        }
        function load(name) {
          const bridge = createRequire(import.meta.url).resolve('@toolbridge/bridge')
          return createRequire(bridge)(name)
        }`
  },
}

/** Node reads a file without other characters faster. They occur in string and regular expression literals only. */
function asciiOnly(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Node's modules are loaded on first use: some take ten milliseconds, and few commands need all of them. */
function withLazyBuiltins(code) {
  const modules = [...code.matchAll(/^let (node_\w+) = require\("(node:[\w/]+)"\);$/gm)]
  return modules.reduce(
    (text, [line, variable, name]) =>
      text
        .replaceAll(new RegExp(`\\b${variable}\\.`, 'g'), `(${variable}()).`)
        .replace(line, `let ${variable}_; const ${variable} = () => (${variable}_ ??= require("${name}"));`),
    code,
  )
}

/** The parameters are those that Node passes to a CommonJS module. */
function asFunction(code) {
  return `/*\n${license}*/\n(function (exports, require, module, __filename, __dirname) {${code}})`
}

/** Of the parser that is part of the file. */
const license = readFileSync(join(modules, 'jsonc-parser', 'LICENSE.md'), 'utf8')

/** Ends the text with a hash of it, by which its compiled code is stored. */
function withHash(code) {
  return `${code}\n//${createHash('sha256').update(code).digest('hex').slice(0, 32)}`
}
