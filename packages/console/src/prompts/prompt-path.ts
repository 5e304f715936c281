/** The page of one prompt. */
export function promptPath(server: string, name: string): string {
  return `/prompts/${encodeURIComponent(server)}/${encodeURIComponent(name)}`
}
