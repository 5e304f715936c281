import type { BridgeEvent, Journal } from '../events/events.ts'

/** The names of the counters. */
export type McpCounterName =
  | 'mcp.context.toolkits_used'
  | 'mcp.clients.started'
  | 'mcp.clients.failed'
  | 'mcp.tools.materialized'

/** The tags of a counter. */
export interface McpCounterTags {
  readonly workflowVersionId: string
  readonly toolkit: string
  readonly tool?: string
}

/** An increment of a counter. */
export interface McpCount {
  readonly name: McpCounterName
  readonly tags: McpCounterTags
}

/** A counter with its value. */
export interface McpCounter extends McpCount {
  readonly value: number
}

/** Counters of the toolkits of workflows, in memory. */
export interface McpCounters {
  readonly journal: Journal
  /** Returns all counters, in the order of their first increment. */
  read(): readonly McpCounter[]
}

/** Creates counters. */
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

/** The counter that an event increments, if any. */
export function countOf(event: BridgeEvent): McpCount | undefined {
  if (!isCounted(event)) return undefined
  const { type, workflow: workflowVersionId, toolkit } = event
  const tool = type === 'tool.materialized' ? { tool: event.tool } : {}
  return { name: names[type], tags: { workflowVersionId, toolkit, ...tool } }
}

function isCounted(event: BridgeEvent): event is CountedEvent {
  return Object.hasOwn(names, event.type)
}
