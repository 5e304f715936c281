import { isUtf8 } from 'node:buffer'
import { maxFileBytes, readRegularFile, RefusedFileError } from '../documents/read-regular-file.ts'
import type { Issue } from '../spec/issue.ts'

/** Reads a configuration file. Returns its text, an issue if it cannot be read, or undefined if it does not exist. */
export async function readFileText(file: string): Promise<string | Issue | undefined> {
  try {
    return decoded(file, await readRegularFile(file))
  } catch (error) {
    return isMissing(error) ? undefined : unreadableFile(file, error)
  }
}

/** The issue of a file that exists and could not be read. */
export function unreadableFile(file: string, error: unknown): Issue {
  if (error instanceof RefusedFileError) return refusal(file, error)
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'it failed'
  return issueOf(file, 'file_unreadable', `the file cannot be read: ${reason}`, 'check its permissions')
}

/** Reads the text of a configuration file. Returns an issue if it is missing or cannot be read. */
export async function readConfigText(file: string): Promise<string | Issue> {
  const text = await readFileText(file)
  return text ?? issueOf(file, 'file_missing', `file not found: ${file}`, 'correct the path')
}

function refusal(file: string, { reason }: RefusedFileError): Issue {
  if (reason === 'not_regular')
    return issueOf(file, 'file_unreadable', 'not a regular file', 'use a text file')
  const message = `the file is larger than ${maxFileBytes / 1024 / 1024} MiB and was not read`
  return issueOf(file, 'file_too_large', message, 'put the servers in a separate file')
}

function decoded(file: string, bytes: Buffer): string | Issue {
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8')
  return issueOf(file, 'file_binary', 'the file is not UTF-8 text', 'save it as UTF-8')
}

function issueOf(file: string, code: string, message: string, fix: string): Issue {
  return { code, severity: 'error', file, path: '', message, fix }
}

/** Reports whether an error means that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
