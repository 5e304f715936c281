// Bundles the programs of the testkit into one file with the libraries they use, and stores their compiled code: a start
// takes half as long, and a test run starts hundreds of them. Only the programs are replaced; other files are the compiler's.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { compiledCodeOf } from './compile-fixture.mjs'
import { replaceFile } from './replace-file.mjs'

const root = fileURLToPath(new URL('../packages/testkit', import.meta.url))
const loader = readFileSync(new URL('fixture-loader.mjs', import.meta.url), 'utf8')
/** Over stdio, and with `--http` over HTTP. */
const overBoth = ['hello', 'elicit', 'modern', 'catalogue'].map((name) => `servers/${name}`)
const programs = [...overBoth, 'servers/http-sse', 'authorization/authorization-server']
const programFile = (name) => join(root, `dist/${name}.js`)
const compiled = [
  ...programs.map((name) => ({ name, flags: [], file: join(root, `dist/${name}.code`) })),
  ...overBoth.map((name) => ({ name, flags: ['--http'], file: join(root, `dist/${name}.http.code`) })),
]

export async function bundleFixtures() {
  const bundle = join(root, 'dist/programs.cjs')
  const text = asFunction(await bundled())
  // V8 compares only the length of the text with that of the code it compiled.
  if (!existsSync(bundle) || readFileSync(bundle, 'utf8') !== text)
    for (const { file } of compiled) rmSync(file, { force: true })
  replaceFile(bundle, text)
  for (const name of programs) replaceFile(programFile(name), loader)
  await Promise.all(compiled.filter(({ file }) => !existsSync(file)).map(storeCode))
}

async function storeCode({ name, flags, file }) {
  replaceFile(file, await compiledCodeOf(programFile(name), flags))
}

async function bundled() {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    root,
    plugins: [everyProgram],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'node20',
      rolldownOptions: {
        input: everyProgram.name,
        output: { format: 'cjs', codeSplitting: false, comments: { jsdoc: false, legal: false } },
      },
    },
  })
  return [output].flat().flatMap(({ output: parts }) => parts)[0].code
}

/**
 * A module that exports a function for each program, which runs it.
 *
 * @type {import('vite').Plugin}
 */
const everyProgram = {
  name: 'every-program',
  enforce: 'pre',
  resolveId: (id) => (id === everyProgram.name ? id : undefined),
  load(id) {
    if (id !== everyProgram.name) return undefined
    const entries = programs.map((name) => {
      const path = JSON.stringify(join(root, `src/${name}.ts`))
      return `${JSON.stringify(name)}: () => import(${path})`
    })
    return `export const programs = { ${entries.join(', ')} }`
  },
}

/** ASCII only, so that it is read as Latin-1. */
function asFunction(code) {
  const ascii = code.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `(function (require, exports) {${ascii}\n})`
}
