import { createRequire } from 'node:module'

/** The line that `--version` prints. */
export function versionLine(): string {
  // By the package's name: a path would depend on the file this is bundled into.
  const manifest: { readonly version: string } = createRequire(import.meta.url)('toolbridge/package.json')
  return `toolbridge ${manifest.version}`
}
