import {
  hostCommand,
  isHostCommand,
  isServerUrl,
  nameOfCommand,
  nameOfUrl,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import { parsedUrl } from '@toolbridge/client/internal'
import { type Invocation, type Options, textOption, textOptions } from '../command.ts'
import { describeAddition } from '../display/describe-addition.ts'
import { isChangeConfirmed } from '../display/confirm-change.ts'
import { masked, maskedServer } from '../display/masked-server.ts'
import { ExitCode } from '../exit-code.ts'
import { findServer, registryName, type RegistryName } from '../registry/find-server.ts'
import { describeRegistryServer } from '../registry/describe-server.ts'
import type { GivenValues } from '../registry/defined-entry.ts'
import { registryEntry } from '../registry/registry-entry.ts'
import { registryOf } from '../registry/registry-request.ts'
import { commandWords, orUsageError } from '../servers/command-words.ts'
import { definedServer, namedServer } from '../servers/defined-server.ts'
import { nameOfRegistryName } from '../servers/server-name.ts'
import { pairs } from '../servers/typed-servers.ts'
import { isAttended, printError, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { plannedServer, writeServer } from './config/write-server.ts'

/** A server to add, and lines about where its definition comes from. */
interface Addition {
  readonly server: ServerSpec
  /** The definition to show: values that were typed may be secrets, and are masked. */
  readonly shown: ServerSpec
  /** Lines about a definition that was looked up; undefined for one that was typed. */
  readonly origin?: readonly string[]
}

/** Shows what will run and adds it after consent. */
export async function add(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  const { server, shown, origin = [] } = await additionOf(invocation)
  const planned = await plannedServer(invocation, server)
  const lines = [...origin, ...describeAddition(shown, planned.target.file)]
  for (const line of lines) printError(terminal, line)
  if (options['yes'] !== true && !(await isChangeConfirmed(terminal))) return ExitCode.Denied
  const code = await writeServer(invocation, planned)
  remindOfVariables(server, terminal)
  return code
}

async function additionOf(invocation: Invocation): Promise<Addition> {
  const { options, terminal } = invocation
  const { before, after } = wordsOf(invocation)
  const [first = ''] = before
  const last = before.at(-1) ?? ''
  const looked = before.length === 1 ? registryName(first) : undefined
  if (looked !== undefined) return lookedUp(looked, after, invocation)
  for (const option of ['registry', 'use'])
    if (options[option] !== undefined)
      throw new UsageError(`--${option} needs a name of a registry, such as io.github.owner/name`)
  const words = [...before, ...(after === undefined ? [] : ['--', ...after])]
  if (isHostCommand(words)) return typedAddition(pastedServer(words, options), terminal)
  if (before.length === 0 && after !== undefined && isHostCommand(after))
    return typedAddition(pastedServer(after, options), terminal)
  if (after === undefined && before.length <= 2 && isServerUrl(last))
    return typedAddition(remoteServer(before.length === 2 ? first : undefined, last, options), terminal)
  return typedAddition(program(before, after ?? [], options), terminal)
}

/** At a terminal, the person who typed the arguments sees them again. */
function typedAddition(server: ServerSpec, terminal: Terminal): Addition {
  const shown = maskedServer(server)
  if (shown.transport !== 'stdio' || server.transport !== 'stdio' || !isAttended(terminal))
    return { server, shown }
  const { command, args } = server
  return { server, shown: { ...shown, command, args } }
}

/** The words before and after `--`. One word with spaces is a command line that was pasted in quotes. */
function wordsOf({ positionals, afterDashes }: Invocation): {
  readonly before: readonly string[]
  readonly after?: readonly string[]
} {
  const [line = ''] = positionals
  if (positionals.length === 1 && afterDashes === undefined && /\s/.test(line.trim()))
    return { before: [], after: commandWords(line) }
  if (afterDashes === undefined) return { before: positionals }
  return { before: positionals.slice(0, positionals.length - afterDashes.length), after: afterDashes }
}

/** `[<name>] -- <command> …`, or `<name> <command> …`. */
function program(before: readonly string[], after: readonly string[], options: Options): ServerSpec {
  const [named, ...rest] = before
  const words = [...rest, ...after]
  if (words.length === 0) throw new UsageError(missing(named))
  return definedServer(textOption(options, 'name') ?? named ?? nameOfCommand(words), { words }, options)
}

function missing(name: string | undefined): string {
  const subject =
    name === undefined ? 'missing server' : `"${name}" is neither a URL nor a name of a registry`
  return `${subject}. Expected one of: <name> -- <command>, <url>, io.github.owner/name. See: toolbridge add --help`
}

function remoteServer(named: string | undefined, url: string, options: Options): ServerSpec {
  if (!url.includes('${') && parsedUrl(url) === undefined)
    throw new UsageError('invalid URL: expected a complete one such as https://mcp.example.com/mcp')
  return definedServer(textOption(options, 'name') ?? named ?? nameOfUrl(url), { words: [], url }, options)
}

function pastedServer(words: readonly string[], options: Options): ServerSpec {
  const { name, type, env, headers, ...target } = orUsageError(() => hostCommand(words))
  return definedServer(textOption(options, 'name') ?? name, target, {
    ...options,
    type: textOption(options, 'type') ?? type,
    env: [...env, ...textOptions(options, 'env')],
    header: [...headers, ...textOptions(options, 'header')],
  })
}

async function lookedUp(
  wanted: RegistryName,
  args: readonly string[] | undefined,
  { options, terminal }: Invocation,
): Promise<Addition> {
  const registry = registryOf(options, terminal)
  const found = await findServer(registry, wanted)
  const name = textOption(options, 'name') ?? nameOfRegistryName(found.name)
  const { env = {} } = pairs('env', textOptions(options, 'env'))
  const { headers = {} } = pairs('headers', textOptions(options, 'header'))
  const given = { env, headers, ...(args === undefined ? {} : { args }) }
  const defined = registryEntry(found, name, given, textOption(options, 'use'))
  const entry = namedServer(name, defined.entry, options)
  const server = defined.inputs.length === 0 ? entry : { ...entry, inputs: defined.inputs }
  return {
    server,
    shown: withoutTyped(server, given, terminal),
    origin: describeRegistryServer(found, defined, registry.url),
  }
}

/** A definition of a registry, whose values are public, without those that were typed. */
function withoutTyped(server: ServerSpec, given: GivenValues, terminal: Terminal): ServerSpec {
  const { env, headers, args = [] } = masked(given)
  if (server.transport !== 'stdio') return { ...server, headers: { ...server.headers, ...headers } }
  const own = server.args.slice(0, server.args.length - args.length)
  return {
    ...server,
    env: { ...server.env, ...env },
    args: isAttended(terminal) ? server.args : [...own, ...args],
  }
}

/** Prints which environment variables the definition needs and this environment does not have. */
function remindOfVariables(server: ServerSpec, terminal: Terminal): void {
  const names = [...JSON.stringify(server).matchAll(/(?<!\$)\$\{env:([A-Za-z_]\w*)\}/g)].map(
    ([, name = '']) => name,
  )
  const unset = [...new Set(names)].filter((name) => terminal.env[name] === undefined)
  if (unset.length > 0) printError(terminal, `toolbridge: set before the server starts: ${unset.join(', ')}`)
}
