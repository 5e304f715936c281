import { parseArgs } from 'node:util'
import { UsageError } from '../usage-error.ts'

/** A server as the command of another host defines it. */
export interface HostCommand {
  readonly name: string
  /** The program and its arguments; empty with a URL. */
  readonly words: readonly string[]
  readonly url?: string
  readonly type?: string
  /** Pairs as in `--env` and `--header`. */
  readonly env: readonly string[]
  readonly headers: readonly string[]
}

const hosts: ReadonlySet<string> = new Set(['claude', 'codex', 'gemini'])

/** Whether words are a command such as `claude mcp add …`. */
export function isHostCommand([host = '', noun, verb]: readonly string[]): boolean {
  return hosts.has(host) && noun === 'mcp' && verb === 'add'
}

/** Reads the command by which Claude Code, Codex or Gemini CLI adds a server. Its scope is ignored. */
export function hostCommand([host, , , ...args]: readonly string[]): HostCommand {
  const { values, positionals } = parsed(args, `${host} mcp add`)
  const [name, target, ...rest] = positionals
  const url = values.url ?? (target !== undefined && isUrl(target) ? target : undefined)
  if (name === undefined || (target === undefined && url === undefined))
    throw new UsageError(`invalid ${host} mcp add: expected a name, then a command or a URL`)
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
export function isUrl(text: string): boolean {
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
    throw new UsageError(`invalid ${command}: ${reason}. Write the arguments of the server after --`)
  }
}
