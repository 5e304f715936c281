import { LockboxError } from '../errors.ts'
import { isDatabaseUrl } from './database-url.ts'

/** Returns the server and the database of a URL, without credentials. */
export function describeAddress(url: string): string {
  if (!isDatabaseUrl(url))
    throw new TypeError(
      'the database URL is not a valid postgres:// URL; write / ? # and @ in a password as %2F %3F %23 %40',
    )
  const { host, pathname } = new URL(url)
  return `${decodeURIComponent(host) || 'localhost'}${pathname}`
}

/** Error of a connection that could not be established. */
export function cannotConnect(cause: unknown, address: string): LockboxError {
  const reason = cause instanceof Error ? cause.message : 'no reason given'
  return new LockboxError('unreachable', `cannot connect to the database ${address}: ${reason}`, { cause })
}

/** Converts the error of a lost connection; returns any other error unchanged. */
export function explainLoss(error: unknown, address: string): unknown {
  if (!(error instanceof Error) || !isLostConnection(error)) return error
  const message = `lost the connection to the database ${address}: ${error.message}; a save in progress may or may not have succeeded`
  return new LockboxError('unreachable', message, { cause: error })
}

/** Connection exceptions (08), shutdowns (57P), too many connections (53300), timeouts (57014), and broken sockets. */
function isLostConnection(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (/^(08...|57P0.|53300|57014|E[A-Z]+)$/.test(code)) return true
  return /^(Connection terminated|Query read timeout|Client has encountered a connection error)/.test(
    error.message,
  )
}
