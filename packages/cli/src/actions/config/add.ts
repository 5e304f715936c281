import {
  type ConfigChange,
  type EditFileOptions,
  editConfig,
  editConfigFile,
  readConfigText,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import { type Invocation, type Options, textOption, textOptions } from '../../command.ts'
import { ExitCode } from '../../exit-code.ts'
import { printable } from '../../printable.ts'
import { pairs, readEntries, requireUrl } from '../../servers/typed-servers.ts'
import { print } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { editOptions, remindOfDialect, remindOfTrust, targetFile } from './target.ts'

export async function addServer({ positionals, options, terminal }: Invocation): Promise<ExitCode> {
  const [name, ...words] = positionals
  if (name === undefined) throw new UsageError('missing name. See: toolbridge config add --help')
  const server = serverFrom(name, words, options)
  const target = await targetFile(terminal, options)
  const { file } = target
  const kind = options['replace'] === true ? 'replace' : 'add'
  const settings = editOptions(terminal, options)
  await requireLossless(file, { kind, server }, settings)
  await editConfigFile(file, [{ kind, server }], settings)
  print(terminal, printable(`${kind === 'add' ? 'added' : 'wrote'} "${name}" in ${file}`))
  await remindOfDialect(terminal, file, options)
  remindOfTrust(terminal, target, [name])
  return ExitCode.Ok
}

/** Throws if the file's dialect cannot express every field. */
async function requireLossless(file: string, change: ConfigChange, settings: EditFileOptions): Promise<void> {
  const text = await readConfigText(file)
  const before = typeof text === 'string' ? text : ''
  const { unwritableFields } = editConfig(before, change, { ...settings, file })
  const lost = unwritableFields.map(({ field, reason }) => `${field}: ${reason}`).join('; ')
  if (lost !== '') throw new UsageError(`nothing was written: ${file} cannot express every field: ${lost}`)
}

/** Read like an entry of a file, with the same checks. */
function serverFrom(name: string, words: readonly string[], options: Options): ServerSpec {
  const [command, ...args] = words
  const url = textOption(options, 'url')
  if (command === undefined && url === undefined) {
    throw new UsageError('missing command or URL: give -- <command> or --url <url>')
  }
  if (url !== undefined) requireUrl(url, 'url')
  const entry = {
    type: textOption(options, 'type'),
    ...(command === undefined ? {} : { command, args }),
    url,
    cwd: textOption(options, 'cwd'),
    ...pairs('env', textOptions(options, 'env')),
    ...pairs('headers', textOptions(options, 'header')),
    ...(options['disabled'] === true ? { disabled: true } : {}),
  }
  const [server] = readEntries({ [name]: entry })
  if (server === undefined) throw new UsageError(`invalid name "${name}"`)
  return server
}
