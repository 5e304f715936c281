// Bundles the command for a fast start: CommonJS, which Node loads in half the time, and a few files with the packages it
// uses, whose compiled code can be cached: the first has what runs until a server is started.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import { build } from 'vite'
import { dialectList, lazyDialects } from './lazy-dialects.mjs'
import { traceCommand } from './trace-command.mjs'

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

/** Returns the text of each file by its path in `dist`. */
export async function bundleCommand(root) {
  const [main] = await bundle(join(root, 'src/main.ts'), root, { codeSplitting: false })
  const dialects = lazyDialects(await allDialects(root))
  const parts = await bundle(join(root, 'src/start.ts'), root, { preserveModules: true }, [dialects])
  const files = asFunctions(parts, await groupsOf(parts))
  const hash = hashOf([...files.values()])
  return new Map([
    ['main.cjs', asciiOnly(withLazyBuiltins(main.code))],
    // Their compiled code is stored by the hash.
    ...[...files].map(([name, code]) => [name, `${code}\n//${hash}`]),
  ])
}

async function allDialects(root) {
  const [{ code }] = await bundle(join(root, '../bridge/src', dialectList), root, { codeSplitting: false })
  const exports = {}
  // The packages are not built yet, and their sources are in TypeScript.
  compileFunction(code, ['exports', 'require', '__filename'])(exports, createRequire(import.meta.url), root)
  return exports.dialects
}

/** The file of each module, by when the commands that should start fast use it. */
async function groupsOf(parts) {
  const [[, traced]] = asFunctions(parts, new Map(), (id) => `globalThis.used(${JSON.stringify(id)});`)
  const { before, after } = await traceCommand(traced)
  const group = (fileName) =>
    before.has(fileName) ? 'standalone' : after.has(fileName) ? 'started' : 'others'
  return new Map(parts.map(({ fileName }) => [fileName, group(fileName)]))
}

async function bundle(input, root, layout, plugins = []) {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    root,
    plugins: [libraries, packageActions, ...plugins],
    ssr: {
      noExternal: ['@toolbridge/bridge', '@toolbridge/client', '@toolbridge/gateway', 'jsonc-parser'],
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
        external: /^(?:#|node:)/,
        output: {
          ...layout,
          format: 'cjs',
          comments: { annotation: false, jsdoc: false, legal: false },
        },
      },
    },
  })
  return [output].flat().flatMap(({ output: parts }) => parts)
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

/**
 * Omits the commands that `main.cjs` runs from the packages.
 *
 * @type {import('vite').Plugin}
 */
const packageActions = {
  name: 'package-actions',
  enforce: 'pre',
  load(id) {
    if (/\/cli\/src\/actions\/(?:serve|open|ask|chat|agent|run-script|lockbox\/\w+)\.ts$/.test(id))
      return 'export {}'
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

/**
 * Returns the text of each file: a function whose modules are evaluated on first use, as few commands need all of them.
 * That of the first file returns the exports of the first module. A file finds the modules of the others in `__shared`;
 * `__loaded` loads a file first. A variable of a module with one of these names would hide it. `prefix` returns code that
 * runs when a module is evaluated.
 */
function asFunctions(parts, groups, prefix = () => '') {
  const groupOf = (id) => groups.get(id) ?? 'standalone'
  const loaders = new Map()
  const nameOf = (id) => {
    if (!loaders.has(id)) loaders.set(id, `__load${loaders.size}`)
    return loaders.get(id)
  }
  const known = new Set(parts.map(({ fileName }) => fileName))
  const files = new Map([...new Set(['standalone', ...groups.values()])].map((group) => [group, new Map()]))
  const loaderIn = (group) => (id) => {
    if (!known.has(id)) files.get(group).set(id, undefined)
    if (!known.has(id) || groupOf(id) === group) return `(${nameOf(id)}())`
    const place = groupOf(id) === 'standalone' ? '__shared' : `__loaded("${groupOf(id)}")`
    return `(${place}.${nameOf(id)}())`
  }
  for (const { fileName, code } of parts) {
    const group = groupOf(fileName)
    const [used] = /\b__(?:load\w*|shared)\b/.exec(code) ?? []
    if (used !== undefined) throw new Error(`${fileName} uses the name ${used}`)
    const body = withLazyImports(fileName, code, loaderIn(group))
    files.get(group).set(fileName, prefix(fileName) + body)
  }
  const first = nameOf(parts.find(({ isEntry }) => isEntry).fileName)
  return new Map(
    [...files].map(([group, modules]) => [
      `${group}.cjs`,
      fileText(modules, nameOf, group === 'standalone' ? `${first}()` : ''),
    ]),
  )
}

function fileText(modules, nameOf, result) {
  const functions = [...modules].map(([id, body]) => loaderText(nameOf(id), id, body))
  const own = [...modules].flatMap(([id, body]) => (body === undefined ? [] : nameOf(id)))
  const code = `(function (__filename, __shared, __loaded) {"use strict";
${functions.join('\n')}
Object.assign(__shared, { ${own.join(', ')} });
return ${result};
})`
  if (/[^.\w]import\(/.test(code)) throw new Error('code from a cache cannot import ES modules')
  return asciiOnly(`/*\n${license}*/\n${code}`)
}

/** Replaces the imports of a module with calls of what loads the imported module, where its exports are used. */
function withLazyImports(fileName, code, loaderOf) {
  const loader = (id) => loaderOf(id.startsWith('.') ? join(dirname(fileName), id) : id)
  const imports = [...code.matchAll(/^(?:const|let) ([\w$]+) = require\("([^"]+)"\);\n/gm)]
  const withoutImports = code.replace(/^(?:(?:const|let) [\w$]+ = )?require\("[^"]+"\);\n/gm, '')
  const names = new Map(imports.map(([, variable, id]) => [variable, loader(id)]))
  return withoutImports
    .replaceAll('performance.now()', clock)
    .replace(/[\w$]+/g, (word) => names.get(word) ?? word)
    .replace(/\brequire\("([^"]+)"\)/g, (_, id) => loader(id))
}

/** Like `performance.now()`, but without the modules behind `performance`, which take two milliseconds to load. */
const clock = '(process.uptime() * 1000)'

function loaderText(name, id, body) {
  if (body === undefined) return `function ${name}() { return ${externalModule(id)} }`
  // The exports are kept before the module is evaluated, because modules may import each other.
  const load = `function ${name}() { if (${name}_ === undefined) ${name}of(${name}_ = {}); return ${name}_ }`
  return `let ${name}_; ${load}\nfunction ${name}of(exports) {\n${body}}`
}

function externalModule(id) {
  if (isBuiltin(id)) return `process.getBuiltinModule("${id}")`
  return `process.getBuiltinModule("node:module").createRequire(__filename)("${id}")`
}

/** Of the parser that is part of the file. */
const license = readFileSync(join(modules, 'jsonc-parser', 'LICENSE.md'), 'utf8')

function hashOf(texts) {
  return createHash('sha256').update(texts.join('')).digest('hex').slice(0, 32)
}
