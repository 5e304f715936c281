import { McpAuthError } from '@toolbridge/client/auth'
import { LockboxError, SealError } from '../errors.ts'

/** Runs `work` and turns an error of the lockbox into an `McpAuthError` of code `storage_failed`. */
export async function withStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SealError) throw storageError(error, 'nothing was changed')
    if (error instanceof LockboxError) throw storageError(error, 'try again')
    throw error
  }
}

/** The error of a lease that other processes did not release in time. */
export function leaseTimeout(timeoutMs: number): McpAuthError {
  const problem = `another process has held the lease on these tokens for more than ${timeoutMs / 1_000} s`
  return new McpAuthError(problem, { code: 'storage_failed', stage: 'storage', fix: 'try again' })
}

function storageError(error: Error, fix: string): McpAuthError {
  return new McpAuthError(error.message, { code: 'storage_failed', stage: 'storage', fix, cause: error })
}
