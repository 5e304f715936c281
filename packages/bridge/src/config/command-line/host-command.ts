import { parseArgs } from 'node:util'
import { CommandLineError } from './command-line-error.ts'

/** A server as the command of another host defines it. */
export interface HostCommand {
  /** Name of the server. */
  readonly name: string
  /** The program and its arguments; empty with a URL. */
  readonly words: readonly string[]
  /** URL of the server; omitted for a program. */
  readonly url?: string
  /** Transport as written. Default: by the target. */
  readonly type?: string
  /** Variables as `NAME=value`. */
  readonly env: readonly string[]
  /** Headers as `NAME=value` or `NAME: value`. */
  readonly headers: readonly string[]
}

const hosts: ReadonlySet<string> = new Set(['claude', 'codex', 'gemini'])

/** Whether words are a command such as `claude mcp add …`. */
export function isHostCommand([host = '', noun, verb]: readonly string[]): boolean {
  return hosts.has(host) && noun === 'mcp' && verb === 'add'
}

/**
 * Reads the command by which Claude Code, Codex or Gemini CLI adds a server. Its scope is ignored. Throws a
 * `CommandLineError` if it is not valid.
 */
export function hostCommand([host, , , ...args]: readonly string[]): HostCommand {
  const { values, positionals } = parsed(args, `${host} mcp add`)
  const [name, target, ...rest] = positionals
  const url = values.url ?? (target !== undefined && isServerUrl(target) ? target : undefined)
  if (name === undefined || (target === undefined && url === undefined))
    throw new CommandLineError(`invalid ${host} mcp add: expected a name, then a command or a URL`)
  const token = values['bearer-token-env-var']
  return {
    name,
    words: target === undefined || url !== undefined ? [] : [target, ...rest],
    ...(url === undefined ? {} : { url }),
    ...(values.transport === undefined ? {} : { type: values.transport }),
    env: values.env ?? [],
    headers: [
      ...(values.header ?? []),
      ...(token === undefined ? [] : [`Authorization=Bearer \${env:${token}}`]),
    ],
  }
}

/** Whether a text is the URL of a server. */
export function isServerUrl(text: string): boolean {
  return /^(?:https?|wss?):\/\//i.test(text)
}

function parsed(args: readonly string[], command: string) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        transport: { type: 'string', short: 't' },
        scope: { type: 'string', short: 's' },
        env: { type: 'string', short: 'e', multiple: true },
        header: { type: 'string', short: 'H', multiple: true },
        url: { type: 'string' },
        'bearer-token-env-var': { type: 'string' },
      },
    })
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : '').split('. ')
    throw new CommandLineError(`invalid ${command}: ${reason}. Write the arguments of the server after --`)
  }
}
