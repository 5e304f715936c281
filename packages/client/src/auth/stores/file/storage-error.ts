import { DamagedFileError, FileError } from '../../../files/file-error.ts'
import { McpAuthError } from '../../messages/mcp-auth-error.ts'

/** The error of a store whose files cannot be used. */
export function storageError(problem: string, fix: string, cause?: unknown): McpAuthError {
  return new McpAuthError(problem, { code: 'storage_failed', stage: 'storage', fix, cause })
}

/** Runs `work` and turns a `FileError` into an `McpAuthError` of code `storage_failed`. */
export async function withStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const fix =
      error instanceof DamagedFileError ? `${error.fix} and sign in again; nothing was changed` : error.fix
    throw storageError(error.problem, fix, error.cause)
  }
}
