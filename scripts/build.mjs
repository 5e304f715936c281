// Builds all packages, unless nothing has changed since the last build.
import { forgetBuild, isBuilt, rememberBuild } from './build-fingerprint.mjs'

if (!isBuilt()) {
  forgetBuild()
  // Loaded on demand: the bundler takes longer to load than the check.
  const { buildAll } = await import('./build-all.mjs')
  if (await buildAll()) rememberBuild()
  else process.exitCode = 1
}
