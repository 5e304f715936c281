import { McpAuthError } from '../../messages/mcp-auth-error.ts'

/** Whether the system failed with this code. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Something about the files is wrong; nothing was lost by finding out. */
export function storageError(happened: string, fix: string, cause?: unknown): McpAuthError {
  return new McpAuthError(happened, { code: 'storage_failed', stage: 'storage', fix, cause })
}

const reasons: readonly (readonly [codes: readonly string[], reason: string, fix: string])[] = [
  [['ENOSPC', 'EDQUOT'], 'there is no room left on the disk', 'make room and try again'],
  [
    ['EACCES', 'EPERM'],
    'this user may not',
    'give this user the right to read and write there, or name another folder',
  ],
  [['EROFS'], 'the disk can only be read', 'name another folder'],
  [['ENOTDIR', 'EEXIST'], 'there is a file where a folder is needed', 'move it away or name another folder'],
  [['EMFILE', 'ENFILE'], 'too many files are open', 'raise the limit of open files and try again'],
]

/** Runs work on a file and says clearly why it failed. Errors that are clear already pass. */
export async function withFileErrors<T>(doing: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!hasSystemCode(error)) throw error
    const known = reasons.find(([codes]) => hasErrorCode(error, ...codes))
    const [, reason, fix] = known ?? [[], `the system says ${error.code}`, 'check the disk and try again']
    throw storageError(`cannot ${doing} ${path}: ${reason}`, fix, error)
  }
}

function hasSystemCode(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}
