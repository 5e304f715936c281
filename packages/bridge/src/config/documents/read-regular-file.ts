import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** Larger files are neither configurations nor secrets. */
export const maxFileBytes: number = 16 * 1024 * 1024

/** Why a file that exists is not read. */
export class RefusedFileError extends Error {
  override readonly name = 'RefusedFileError'
  readonly reason: 'not_regular' | 'too_large'

  constructor(reason: RefusedFileError['reason']) {
    super(reason)
    this.reason = reason
  }
}

/**
 * Reads a regular file of at most 16 MiB. Rejects for anything else: reading a pipe or a device might never end. Every file
 * that a configuration names is read here.
 */
export async function readRegularFile(path: string): Promise<Buffer> {
  // Synchronous, because a command reads its configuration before it starts servers: starting Node's thread pool takes
  // longer than reading the file.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw new RefusedFileError('not_regular')
    if (found.size > maxFileBytes) throw new RefusedFileError('too_large')
    return readBounded(file)
  } finally {
    closeSync(file)
  }
}

const chunkBytes = 64 * 1024

/** The size of some files is not known before they are read. */
function readBounded(file: number): Buffer {
  const chunks: Buffer[] = []
  for (let total = 0; ; ) {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    const bytesRead = readSync(file, buffer, 0, chunkBytes, null)
    if (bytesRead === 0) return Buffer.concat(chunks)
    total += bytesRead
    if (total > maxFileBytes) throw new RefusedFileError('too_large')
    chunks.push(buffer.subarray(0, bytesRead))
  }
}
