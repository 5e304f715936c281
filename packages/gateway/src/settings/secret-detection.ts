const secretWord = '(?:key|token|secret|passw|passphrase|pwd|auth|credential|bearer|session|signature)'
const secretFlag = new RegExp(`^-{1,2}[\\w.-]*${secretWord}[\\w.-]*$`, 'i')
/** `--token=…`, `API_KEY=…` as for a container, `Authorization: …` as for a header. */
const secretAssignment = new RegExp(`^-{0,2}[\\w.-]*${secretWord}[\\w.-]*\\s*[=:]\\s*\\S`, 'i')

/** Whether an argument may be a secret: by the flag before it, by its own name, or as a URL that contains one. */
export function mayBeSecretArgument(args: readonly string[], index: number): boolean {
  const argument = args[index] ?? ''
  const isFlag = argument.startsWith('--') && !argument.includes('=')
  if (isFlag) return false
  return (
    secretFlag.test(args[index - 1] ?? '') || secretAssignment.test(argument) || mayContainSecret(argument)
  )
}

/** Whether a URL has a user, a password or a query with values. */
export function mayContainSecret(url: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || !URL.canParse(url)) return false
  const { username, password, searchParams } = new URL(url)
  return username !== '' || password !== '' || [...searchParams.values()].some((value) => value !== '')
}
