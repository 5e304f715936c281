/** A file cannot be used, or a file operation failed. The message states the problem and the fix. */
export class FileError extends Error {
  override readonly name = 'FileError'
  /** The message without the fix. */
  readonly problem: string
  /** The fix. */
  readonly fix: string
  /** The error code of the operating system, such as `EACCES`, if it reported one. */
  declare readonly code?: string
  /** The path that the operating system reported, if it reported one. */
  declare readonly path?: string

  constructor(problem: string, fix: string, cause?: unknown) {
    super(`${problem}; ${fix}`, cause === undefined ? undefined : { cause })
    this.problem = problem
    this.fix = fix
    if (!isSystemError(cause)) return
    this.code = cause.code
    if (cause.path !== undefined) this.path = cause.path
  }
}

/** The content of a file is not valid. The file was not changed. */
export class DamagedFileError extends FileError {
  constructor(path: string, issues: string) {
    super(`the file ${path} is damaged: ${issues}`, 'restore a good copy or move it away')
  }
}

/** Whether an error has one of these codes, such as `ENOENT`. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

const DISK_FULL = ['ENOSPC', 'EDQUOT']
/** PostgreSQL's `disk_full`. */
const DATABASE_DISK_FULL = '53100'

/** Whether an error of the operating system or of PostgreSQL says that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return hasErrorCode(error, ...DISK_FULL, DATABASE_DISK_FULL)
}

const EXPLANATIONS: readonly (readonly [codes: readonly string[], reason: string, fix: string])[] = [
  [DISK_FULL, 'the disk is full', 'free disk space and try again'],
  [
    ['EACCES', 'EPERM'],
    'permission denied',
    'give this user read and write access to it, or choose another folder',
  ],
  [['EROFS'], 'the file system is read-only', 'choose another folder'],
  [
    ['ENOTDIR', 'EEXIST'],
    'part of the path is a file where a folder is needed',
    'move that file away or choose another folder',
  ],
  [['ELOOP'], 'it is a symbolic link', 'replace the link with a file'],
  [['EMFILE', 'ENFILE'], 'too many open files', 'increase the limit of open files and try again'],
]

/** Runs `work` and turns a system error into a {@link FileError}: `cannot <action> <path>: <reason>`. */
export async function withFileErrors<T>(action: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isSystemError(error)) throw error
    const known = EXPLANATIONS.find(([codes]) => codes.includes(error.code))
    const [, reason, fix] = known ?? [[], error.code, 'check the disk and try again']
    throw new FileError(`cannot ${action} ${path}: ${reason}`, fix, error)
  }
}

function isSystemError(error: unknown): error is Error & { readonly code: string; readonly path?: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
}
