/** Whether a JSON pointer leads into the entry of a server. */
export function isAbout(pointer: string, server: string): boolean {
  const [, ...steps] = pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return steps.slice(0, 3).includes(server)
}
