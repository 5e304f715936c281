import { runnerImport } from 'vite'

/**
 * Imports a TypeScript file of this repository, with the sources of the packages that it imports.
 *
 * @param {string} file
 */
export async function importSource(file) {
  const conditions = ['@toolbridge/source', 'node', 'development|production']
  const { module } = await runnerImport(file, {
    configFile: false,
    resolve: { conditions },
    // Node 20 has no `using`.
    oxc: { target: 'node20' },
  })
  return module
}
