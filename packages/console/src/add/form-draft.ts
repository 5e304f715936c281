/** A variable or header of the form. */
export interface FormPair {
  readonly name: string
  readonly value: string
}

/** The form as it was filled in. */
export interface FormDraft {
  readonly name: string
  readonly kind: 'program' | 'url'
  readonly command: string
  /** One argument per line. */
  readonly args: string
  readonly env: readonly FormPair[]
  readonly url: string
  readonly headers: readonly FormPair[]
}

export const emptyForm: FormDraft = {
  name: '',
  kind: 'program',
  command: '',
  args: '',
  env: [],
  url: '',
  headers: [],
}

/** The definition that the form describes, as a text; empty as long as it has neither a program nor a URL. */
export function formText(form: FormDraft): string {
  const { name, kind, command, url } = form
  if ((kind === 'program' ? command : url).trim() === '') return ''
  const entry = kind === 'program' ? programOf(form) : remoteOf(form)
  return JSON.stringify(name.trim() === '' ? entry : { mcpServers: { [name.trim()]: entry } }, null, 2)
}

function programOf({ command, args, env }: FormDraft): object {
  const words = args
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return { command: command.trim(), args: words, ...named('env', env) }
}

function remoteOf({ url, headers }: FormDraft): object {
  return { url: url.trim(), ...named('headers', headers) }
}

function named(field: string, pairs: readonly FormPair[]): object {
  const used = pairs.filter(({ name }) => name.trim() !== '')
  if (used.length === 0) return {}
  return { [field]: Object.fromEntries(used.map(({ name, value }) => [name.trim(), value])) }
}
