/** The page of one resource. */
export function resourcePath(server: string, uri: string): string {
  return `/resources/${encodeURIComponent(server)}/${encodeURIComponent(uri)}`
}
