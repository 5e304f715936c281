// Builds all packages. Bundles are made from sources, so they do not wait for tsc. Only the fixture servers do, because
// they replace files that tsc writes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { bundleFixtures } from './bundle-fixtures.mjs'
import { bundlePackages } from './bundle.mjs'
import { storeEmptyCluster } from './store-empty-cluster.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))

/** Returns whether the sources compile. */
export async function buildAll() {
  const [isCompiled] = await Promise.all([compileAndBundleFixtures(), bundlePackages(), buildConsole()])
  // It runs the compiled lockbox with the bundled client.
  if (isCompiled) await storeEmptyCluster()
  return isCompiled
}

async function compileAndBundleFixtures() {
  const child = spawn(process.execPath, [compiler, '-b'], { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code === 0) await bundleFixtures()
  return code === 0
}

async function buildConsole() {
  await build({ root: `${root}packages/console`, logLevel: 'warn' })
}
