import { ConfigError } from '@toolbridge/bridge'
import {
  type ConfigChange,
  editConfig,
  editConfigFile,
  readConfig,
  readConfigText,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import { type Invocation, type Options, textOption, textOptions } from '../../command.ts'
import { ExitCode } from '../../exit-code.ts'
import { printable } from '../../printable.ts'
import { print } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { remindOfTrust, targetFile } from './target.ts'

export async function addServer({ positionals, options, terminal }: Invocation): Promise<ExitCode> {
  const [name, ...words] = positionals
  if (name === undefined) throw new UsageError('which name? See: toolbridge config add --help')
  const server = serverFrom(name, words, options)
  const file = await targetFile(terminal, options)
  const kind = options['replace'] === true ? 'replace' : 'add'
  const { signal, cwd: workspaceFolder } = terminal
  await requireWords(file, { kind, server }, workspaceFolder)
  await editConfigFile(file, [{ kind, server }], { signal, workspaceFolder })
  print(terminal, printable(`${kind === 'add' ? 'added' : 'wrote'} "${name}" in ${file}`))
  remindOfTrust(terminal, options)
  return ExitCode.Ok
}

/** A server without its variable or its folder would be another one than was typed. */
async function requireWords(file: string, change: ConfigChange, workspaceFolder: string): Promise<void> {
  const text = await readConfigText(file)
  const { unwritableFields } = editConfig(typeof text === 'string' ? text : '', change, {
    file,
    workspaceFolder,
  })
  const lost = unwritableFields.map(({ field, reason }) => `${field}: ${reason}`).join('; ')
  if (lost !== '') throw new UsageError(`nothing was written, since ${file} cannot say all of it: ${lost}`)
}

/** Read as if it stood in a file, so that it is checked like one. */
function serverFrom(name: string, words: readonly string[], options: Options): ServerSpec {
  const [command, ...args] = words
  const url = textOption(options, 'url')
  if (command === undefined && url === undefined) {
    throw new UsageError('what does it start or reach? Give -- <command> or --url <address>')
  }
  if (url !== undefined && !isAddress(url))
    throw new UsageError('--url is a whole address, such as https://mcp.example.com/mcp')
  const entry = {
    type: textOption(options, 'type'),
    ...(command === undefined ? {} : { command, args }),
    url,
    cwd: textOption(options, 'cwd'),
    ...pairs('env', textOptions(options, 'env')),
    ...pairs('headers', textOptions(options, 'header')),
    ...(options['disabled'] === true ? { disabled: true } : {}),
  }
  const text = JSON.stringify({ mcpServers: { [name]: entry } })
  const { servers, issues } = readConfig(text, { file: 'the command line', dialect: 'mcp-servers' })
  const [server] = servers
  if (server !== undefined && issues.length === 0) return server
  throw ConfigError.of(issues.map(({ line: _line, column: _column, ...issue }) => issue))
}

/** One with a variable is known only when the server is reached. */
function isAddress(url: string): boolean {
  return url.includes('${') || (/^(?:https?|wss?):/i.test(url) && URL.canParse(url))
}

/** No message quotes what is given: it may be a secret. */
function pairs(field: 'env' | 'headers', given: readonly string[]): object {
  if (given.length === 0) return {}
  const found = given.map((text) => {
    const at = text.indexOf('=')
    if (at < 1) throw new UsageError(`--${field === 'env' ? 'env' : 'header'} is NAME=value`)
    return [text.slice(0, at), text.slice(at + 1)] as const
  })
  return { [field]: Object.fromEntries(found) }
}
