import type { BridgeEvent, Journal } from '../events/events.ts'

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

const names = {
  'toolkit.used': 'mcp.context.toolkits_used',
  'toolkit.started': 'mcp.clients.started',
  'toolkit.failed': 'mcp.clients.failed',
  'tool.materialized': 'mcp.tools.materialized',
} as const

type CountedEvent = BridgeEvent & { readonly type: keyof typeof names }

/** What an event adds one to, if anything. */
export function countOf(event: BridgeEvent): McpCount | undefined {
  if (!isCounted(event)) return undefined
  const { type, workflow: workflowVersionId, toolkit } = event
  const tool = type === 'tool.materialized' ? { tool: event.tool } : {}
  return { name: names[type], tags: { workflowVersionId, toolkit, ...tool } }
}

function isCounted(event: BridgeEvent): event is CountedEvent {
  return Object.hasOwn(names, event.type)
}
