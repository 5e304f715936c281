import { parsedUrl } from '@toolbridge/client/internal'

/** Whether a location starts like a PostgreSQL URL, valid or not. */
export function isPostgresLocation(location: string): boolean {
  return /^postgres(ql)?:\/\//i.test(location)
}

/** Whether `text` is a valid `postgres://` or `postgresql://` URL. */
export function isDatabaseUrl(text: string): boolean {
  const url = isPostgresLocation(text) ? parsedUrl(text) : undefined
  if (url === undefined) return false
  const { pathname, search, hash } = url
  // An unescaped slash, question mark or hash in the password ends the authority early, which leaves an @ behind.
  return !`${pathname}${search}${hash}`.includes('@')
}
