/** The page of one server. */
export function serverPath(name: string): string {
  return `/servers/${encodeURIComponent(name)}`
}

/** The page of one tool. */
export function toolPath(name: string): string {
  return `/tools/${encodeURIComponent(name)}`
}

/** The page of one prompt. */
export function promptPath(server: string, name: string): string {
  return `/prompts/${encodeURIComponent(server)}/${encodeURIComponent(name)}`
}

/** The page of one resource. */
export function resourcePath(server: string, uri: string): string {
  return `/resources/${encodeURIComponent(server)}/${encodeURIComponent(uri)}`
}

/** The page of one call. */
export function callPath(id: string): string {
  return `/activity/${encodeURIComponent(id)}`
}
