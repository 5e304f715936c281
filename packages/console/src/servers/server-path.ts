/** The page of one server. */
export function serverPath(name: string): string {
  return `/servers/${encodeURIComponent(name)}`
}
