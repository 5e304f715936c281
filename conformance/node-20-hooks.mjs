/**
 * Module hooks that give the suite's runner an `fs` with a `globSync`. It imports the name for its repository tooling
 * only and never calls it in a test run, so here it says why it cannot work instead of working.
 */

const completedFs = 'toolbridge-conformance:fs'

const source = `
export * from 'node:fs'
export { default } from 'node:fs'
export function globSync() {
  throw new Error('fs.globSync needs Node 22')
}
`

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  if (specifier === 'fs' && isRunner(context.parentURL)) {
    return { url: completedFs, format: 'module', shortCircuit: true }
  }
  return nextResolve(specifier, context)
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (url === completedFs) return { format: 'module', source, shortCircuit: true }
  return nextLoad(url, context)
}

/** @param {string | undefined} url */
function isRunner(url) {
  return (
    url !== undefined &&
    /\/node_modules\/(@modelcontextprotocol\/conformance|conformance-0\.1)\/dist\//.test(url)
  )
}
