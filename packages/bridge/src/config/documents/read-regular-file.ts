import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

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
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new RefusedFileError('not_regular')
    if (found.size > maxFileBytes) throw new RefusedFileError('too_large')
    return await readBounded(handle)
  } finally {
    await handle.close()
  }
}

/** The size of some files is not known before they are read. */
async function readBounded(handle: FileHandle): Promise<Buffer> {
  const chunks: Buffer[] = []
  const stream = handle.createReadStream({ end: maxFileBytes, autoClose: false })
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  if (bytes.length > maxFileBytes) throw new RefusedFileError('too_large')
  return bytes
}
