import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'
import { replaceFile } from './replace-file.mjs'

const folder = fileURLToPath(new URL('../conformance/dist/', import.meta.url))

/**
 * Bundles the official suite with its dependencies as a module that exports its command line as `program`, and returns
 * the path of the file. It loads with 0.45 s of CPU instead of 1.1 s. A bundle is kept until the version changes.
 *
 * @param {string} runner
 * @param {string} version
 */
export async function bundleSuite(runner, version) {
  const path = `${folder}suite-${version}.js`
  if (!existsSync(path)) replaceFile(path, await bundle(runner))
  return path
}

/** @param {string} runner */
async function bundle(runner) {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    plugins: [runsOnNode20(runner)],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'node20',
      rolldownOptions: { input: { runner }, output: { format: 'es', codeSplitting: false } },
    },
  })
  const [part] = [output].flat().flatMap((result) => ('output' in result ? result.output : []))
  if (part?.type !== 'chunk') throw new Error(`no bundle of ${runner}`)
  return part.code
}

const completeFs = '\0fs-with-glob'

/**
 * The runner imports `globSync`, which Node 20 lacks, for its repository tooling only; and it reads its lists of
 * requirements from a folder beside its own file.
 *
 * @param {string} runner
 * @returns {import('vite').Plugin}
 */
function runsOnNode20(runner) {
  return {
    name: 'runs-on-node-20',
    enforce: 'pre',
    resolveId: (id, importer) => (id === 'fs' && importer === runner ? completeFs : undefined),
    load: (id) =>
      id === completeFs
        ? `export * from 'node:fs'
           export { default } from 'node:fs'
           export function globSync() { throw new Error('fs.globSync needs Node 22') }`
        : undefined,
    transform: (code, id) =>
      id === runner
        ? exportProgram(code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(runner).href)))
        : undefined,
  }
}

/**
 * The last statement of the suite runs the command line of its process.
 *
 * @param {string} code
 */
function exportProgram(code) {
  const last = /(?<![\w$])([\w$]+)\.parse\(\);\s*export\s*\{\s*\};?$/
  const program = code.trimEnd()
  if (!last.test(program)) throw new Error('the suite does not end by parsing its command line')
  return program.replace(last, '$1;export{$1 as program};')
}
