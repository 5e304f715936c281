import type { Bridge, ServerItem } from '@toolbridge/bridge'
import type { Prompt } from '@toolbridge/client'
import { didYouMean } from '../did-you-mean.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

/** Finds a prompt by a name of `findItem`. */
export async function findPrompt(
  { prompts }: Bridge,
  wanted: string,
  terminal: Terminal,
): Promise<ServerItem<Prompt>> {
  return findItem(await prompts.list(terminal), wanted, { kind: 'prompt', keyOf: ({ name }) => name })
}

/**
 * Finds a prompt, template or other item of a server by its own name, or by `server.name` or `server/name`. Throws if
 * several servers have it, or none.
 */
export function findItem<T>(
  items: readonly ServerItem<T>[],
  wanted: string,
  { kind, keyOf }: { readonly kind: string; readonly keyOf: (definition: T) => string },
): ServerItem<T> {
  const named = items.filter(({ definition }) => keyOf(definition) === wanted)
  const qualified = items.filter(({ server, definition }) =>
    ['.', '/'].some((separator) => `${server}${separator}${keyOf(definition)}` === wanted),
  )
  const [found, another] = named.length > 0 ? named : qualified
  if (found === undefined) {
    const keys = items.map(({ definition }) => keyOf(definition))
    throw new UsageError(`unknown ${kind} "${wanted}".${didYouMean(wanted, keys)}`)
  }
  if (another === undefined) return found
  const servers = named.map(({ server }) => server).join(', ')
  throw new UsageError(`several servers have ${kind} "${wanted}": ${servers}. Choose one with --server`)
}
