/** The page of one tool. */
export function toolPath(name: string): string {
  return `/tools/${encodeURIComponent(name)}`
}
