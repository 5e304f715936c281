/**
 * Download size of a page that connects, lists and calls over HTTP: bundled and minified by Vite, then gzip. Excludes
 * the loader of about 0.7 KiB that Vite adds for dynamic imports: it is not part of a client, and other bundlers add
 * none.
 */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { folderOf } from '../clients/clients.mjs'

/** @type {import('../rounds.mjs').Measure[]} */
export const measures = [
  {
    name: 'bundle',
    module: 'bundle',
    server: { kind: 'none' },
    maxRounds: 1,
    isPinned: false,
    rows: [{ key: 'kibibytes', title: 'browser bundle, gzip', unit: 'KiB', target: { value: 14 } }],
  },
]

/** @param {import('../rounds.mjs').Job} job */
export async function sample(job) {
  const { build } = await import('vite')
  const output = await build({
    configFile: false,
    root: fileURLToPath(new URL('..', import.meta.url)),
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry: `${folderOf(job.client)}browser/${job.client}.mjs`, formats: ['es'], fileName: 'page' },
      // Vite does not fully minify libraries by default.
      rolldownOptions: { output: { minify: true } },
    },
  })
  const [built] = [output].flat()
  if (built === undefined || !('output' in built)) throw new Error('the bundler built nothing')
  return { kibibytes: loadedBytes(built.output) / 1024 }
}

/**
 * The entry and its static imports. Dynamic imports are not part of the first download.
 *
 * @param {readonly { fileName: string, code?: string, isEntry?: boolean, imports?: readonly string[] }[]} files
 */
function loadedBytes(files) {
  const loaded = files.filter((file) => file.isEntry === true)
  for (const chunk of loaded) {
    const imported = files.filter((file) => chunk.imports?.includes(file.fileName) && !loaded.includes(file))
    loaded.push(...imported)
  }
  return loaded.reduce((sum, chunk) => sum + gzipSync(chunk.code ?? '', { level: 9 }).length, 0)
}
