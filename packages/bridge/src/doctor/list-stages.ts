import { McpError, type Tool } from '@toolbridge/client'
import { messageOf } from '../text/message-of.ts'
import { failure, fine } from './findings.ts'
import type { Probe } from './probe.ts'
import type { Finding } from './result.ts'

/** The capabilities that a server declares. */
export function capabilities({ description }: Probe): Finding {
  const names = Object.keys(description.capabilities)
  const seen =
    names.length === 0 ? 'the server declares no capabilities' : `the server has ${names.join(', ')}`
  return fine(seen, { capabilities: names })
}

/** The tools of a server, or why they could not be listed. */
export type Listed =
  | { readonly tools: readonly Tool[]; readonly listMs: number }
  | { readonly problem: Finding }

/** Lists the tools. */
export async function listTools({
  client,
  description,
  startMs,
  context,
  process: program,
}: Probe): Promise<Listed> {
  if (description.capabilities.tools === undefined) return { tools: [], listMs: 0 }
  const { timeouts, signal } = context
  const timeoutMs = timeouts?.listMs ?? startMs
  const startedAt = performance.now()
  try {
    const tools = await client.listTools({ timeoutMs, ...(signal === undefined ? {} : { signal }) })
    return { tools, listMs: Math.round(performance.now() - startedAt) }
  } catch (error) {
    signal?.throwIfAborted()
    const stderr = program?.stderrTail ?? []
    const problem = listProblem(error, timeoutMs)
    return { problem: stderr.length === 0 ? problem : { ...problem, stderr } }
  }
}

function listProblem(error: unknown, timeoutMs: number): Finding {
  const kind = error instanceof McpError ? error.kind : undefined
  if (kind === 'timeout') {
    const seen = `the server does not answer tools/list within ${timeoutMs} ms`
    return failure('list_silent', seen, 'look at its log: it may wait for a service that it cannot reach')
  }
  if (kind === 'peer')
    return failure(
      'list_refused',
      `the server answers tools/list with an error: ${messageOf(error)}`,
      reportIt,
    )
  return failure('list_failed', `the tools cannot be listed: ${messageOf(error)}`, reportIt)
}

const reportIt = 'look at the log of the server, and report it to its author'

/** The finding about a list that was read. */
export function listed(tools: readonly Tool[], offered: number): Finding {
  const count = `${tools.length} tool${tools.length === 1 ? '' : 's'}`
  const hidden = tools.length - offered
  const seen = hidden === 0 ? count : `${count}, of which the entry leaves out ${hidden}`
  return fine(seen, { count: tools.length, tools: tools.map(summaryOf) })
}

const maxDescription = 500

function summaryOf({ name, title, description }: Tool): Readonly<Record<string, string>> {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description: description.slice(0, maxDescription) }),
  }
}
