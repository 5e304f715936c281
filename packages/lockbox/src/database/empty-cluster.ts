import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { hasErrorCode } from '@toolbridge/client/internal'

/** Folders, whose names end with a slash, and files with their sizes, in the order of their contents. */
export type ClusterEntries = readonly (readonly [path: string, bytes: number])[]

/**
 * The file with an initialized database without tables, which the build stores in this package: unpacking it is many times
 * faster than initializing one. It is made by one version of PGlite and used with that version only.
 */
export function emptyClusterFile(): string {
  const require = createRequire(import.meta.url)
  const pglite = join(dirname(require.resolve('@electric-sql/pglite')), '..', 'package.json')
  const { version }: { version: string } = require(pglite)
  // The same path from `src/database` and from `dist/database`.
  return fileURLToPath(new URL(`../../dist/empty-cluster-${version}.gz`, import.meta.url))
}

/** Unpacks the stored database into an empty folder. Returns false if the package has none for this version of PGlite. */
export async function unpackEmptyCluster(
  folder: string,
  file: string = emptyClusterFile(),
): Promise<boolean> {
  const packed = await readFile(file).catch(ignoreMissing)
  if (packed === undefined) return false
  const unpacked = await promisify(gunzip)(packed)
  let offset = unpacked.indexOf('\n') + 1
  const entries: ClusterEntries = JSON.parse(unpacked.toString('utf8', 0, offset))
  for (const [path, bytes] of entries) {
    // Not promises: a thousand small files would take three times the CPU time.
    if (path.endsWith('/')) mkdirSync(join(folder, path), { mode: 0o700 })
    else writeFileSync(join(folder, path), unpacked.subarray(offset, (offset += bytes)), { mode: 0o600 })
  }
  return true
}

function ignoreMissing(error: unknown): undefined {
  if (!hasErrorCode(error, 'ENOENT')) throw error
}
