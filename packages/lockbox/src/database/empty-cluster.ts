import { mkdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
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
  const packed = await open(file).catch(ignoreMissing)
  if (packed === undefined) return false
  // In parts: whole, its memory would stay with the process.
  await pipeline(packed.createReadStream(), createGunzip(), (unpacked) => writeEntries(folder, unpacked))
  return true
}

async function writeEntries(folder: string, unpacked: AsyncIterable<Buffer>): Promise<void> {
  const parts = new PartReader(unpacked)
  const entries: ClusterEntries = JSON.parse((await parts.takeLine()).toString())
  for (const [path, bytes] of entries) {
    // Not promises: a thousand small files would take three times the CPU time.
    if (path.endsWith('/')) mkdirSync(join(folder, path), { mode: 0o700 })
    else writeFileSync(join(folder, path), await parts.take(bytes), { mode: 0o600 })
  }
}

/** Reads parts of given lengths. */
class PartReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async take(length: number): Promise<Buffer> {
    while (this.#rest.length < length) await this.#readMore()
    const part = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return part
  }

  async takeLine(): Promise<Buffer> {
    while (!this.#rest.includes('\n')) await this.#readMore()
    return this.take(this.#rest.indexOf('\n') + 1)
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#chunks.next()
    if (done === true) throw new RangeError('the stored database is incomplete; build it again')
    this.#rest = Buffer.concat([this.#rest, value])
  }
}

function ignoreMissing(error: unknown): undefined {
  if (!hasErrorCode(error, 'ENOENT')) throw error
}
