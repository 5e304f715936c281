import type { BridgeEvent, Journal } from './events.ts'

export type McpCounterName =
  | 'mcp.context.toolkits_used'
  | 'mcp.clients.started'
  | 'mcp.clients.failed'
  | 'mcp.tools.materialized'

/** What a count belongs to. */
export interface McpCounterTags {
  readonly workflowVersionId: string
  readonly toolkit: string
  readonly tool?: string
}

/** One more of something. */
export interface McpCount {
  readonly name: McpCounterName
  readonly tags: McpCounterTags
}

export interface McpCounter extends McpCount {
  readonly value: number
}

/** Counts the toolkits of workflows, for as long as it is kept. */
export interface McpCounters {
  readonly journal: Journal
  /** All that was counted, in the order in which it was first seen. */
  read(): readonly McpCounter[]
}

/** Makes counters at zero. */
export function createCounters(): McpCounters {
  const counters = new Map<string, McpCount & { value: number }>()
  return {
    journal: (event) => {
      const count = countOf(event)
      if (count === undefined) return
      const key = JSON.stringify([count.name, count.tags])
      const counter = counters.get(key) ?? { ...count, value: 0 }
      counter.value += 1
      counters.set(key, counter)
    },
    read: () => [...counters.values()].map((counter) => ({ ...counter })),
  }
}

/** What an event adds one to, if anything. */
export function countOf(event: BridgeEvent): McpCount | undefined {
  switch (event.type) {
    case 'toolkit.used':
      return { name: 'mcp.context.toolkits_used', tags: tagsOf(event) }
    case 'toolkit.started':
      return { name: 'mcp.clients.started', tags: tagsOf(event) }
    case 'toolkit.failed':
      return { name: 'mcp.clients.failed', tags: tagsOf(event) }
    case 'tool.materialized':
      return { name: 'mcp.tools.materialized', tags: { ...tagsOf(event), tool: event.tool } }
    default:
      return undefined
  }
}

function tagsOf({ workflow, toolkit }: { workflow: string; toolkit: string }): McpCounterTags {
  return { workflowVersionId: workflow, toolkit }
}
