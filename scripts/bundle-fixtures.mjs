// Bundles the programs of the testkit with the libraries they use: a start takes half as long, and a test run starts
// hundreds of them. Only the programs are replaced; other files are the compiler's.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { replaceFile } from './replace-file.mjs'

const root = fileURLToPath(new URL('../packages/testkit', import.meta.url))
const servers = ['hello', 'elicit', 'modern', 'catalogue', 'http-sse'].map((name) => `servers/${name}`)
const programs = [...servers, 'authorization/authorization-server']

export async function bundleFixtures() {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    root,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'node20',
      rolldownOptions: {
        input: Object.fromEntries(programs.map((name) => [name, join(root, `src/${name}.ts`)])),
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'shared/[name].js' },
      },
    },
  })
  for (const part of [output].flat().flatMap(({ output: parts }) => parts))
    replaceFile(join(root, 'dist', part.fileName), part.type === 'chunk' ? part.code : part.source)
}
