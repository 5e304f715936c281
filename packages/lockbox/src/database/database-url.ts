/** Whether a location is meant for PostgreSQL, however well it is written. */
export function isPostgresLocation(location: string): boolean {
  return /^postgres(ql)?:\/\//i.test(location)
}

/** Whether PostgreSQL can be reached by this text: a `postgres://` or `postgresql://` address and nothing else. */
export function isDatabaseUrl(text: string): boolean {
  if (!isPostgresLocation(text) || !URL.canParse(text)) return false
  const { pathname, search, hash } = new URL(text)
  // A password with an unescaped slash, question mark or hash ends the host early: what is left of it stands behind.
  return !`${pathname}${search}${hash}`.includes('@')
}
