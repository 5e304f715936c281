import type { Tool } from '@toolbridge/client'
import { deepEqual, escapeInvisible } from '@toolbridge/client/internal'
import type { Bridge } from '../../bridge.ts'
import type { ClientRequest } from './toolkit-clients.ts'

/** The tools of clients that are not open: those that were passed with the toolkit, until its server listed its own. */
export class KnownTools {
  /** The latest list of each server that differs from what was passed, the oldest first. */
  readonly #listed = new Map<string, readonly Tool[]>()
  readonly #compared = new WeakSet<Bridge>()

  /** The tools to show; undefined if none are known. */
  of({ key }: ClientRequest, passed: readonly Tool[] | undefined): readonly Tool[] | undefined {
    return passed && (this.#listed.get(key) ?? passed)
  }

  /** Replaces the known tools by those of an open client. Returns the differences as text, if there are any. */
  replace(wanted: ClientRequest, passed: readonly Tool[], bridge: Bridge): string | undefined {
    if (this.#compared.has(bridge)) return undefined
    this.#compared.add(bridge)
    const live = bridge.tools.map(({ definition }) => definition)
    const differences = differencesOf(this.of(wanted, passed) ?? passed, live)
    if (differences !== undefined) this.#remember(wanted.key, live)
    return differences
  }

  #remember(key: string, tools: readonly Tool[]): void {
    this.#listed.delete(key)
    this.#listed.set(key, tools)
    const [oldest] = this.#listed.keys()
    if (this.#listed.size > MAX_LISTS && oldest !== undefined) this.#listed.delete(oldest)
  }
}

const MAX_LISTS = 200

function differencesOf(known: readonly Tool[], live: readonly Tool[]): string | undefined {
  const before = new Map(known.map((tool) => [tool.name, tool]))
  const now = new Map(live.map((tool) => [tool.name, tool]))
  const lists = {
    new: live.filter(({ name }) => !before.has(name)),
    gone: known.filter(({ name }) => !now.has(name)),
    changed: live.filter((tool) => isChanged(before.get(tool.name), tool)),
  }
  const texts = Object.entries(lists).filter(([, tools]) => tools.length > 0)
  return texts.length === 0
    ? undefined
    : texts.map(([kind, tools]) => `${kind}: ${namesOf(tools)}`).join('; ')
}

/** Compares what a toolkit may contain of a tool. */
function isChanged(known: Tool | undefined, live: Tool): boolean {
  if (known === undefined) return false
  const { title, description, inputSchema } = known
  const isKept = (text: string | undefined, other: string | undefined): boolean =>
    text === undefined || text === other
  return (
    !isKept(title, live.title) ||
    !isKept(description, live.description) ||
    !(isAnyObject(inputSchema) || deepEqual(inputSchema, live.inputSchema))
  )
}

/** The schema of a known tool that was passed without one. */
function isAnyObject(schema: Tool['inputSchema']): boolean {
  return Object.keys(schema).length === 1 && schema['type'] === 'object'
}

function namesOf(tools: readonly Tool[]): string {
  return tools.map(({ name }) => escapeInvisible(name)).join(', ')
}
