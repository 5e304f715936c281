/** Sinks of the journal, counters, and types of its events. */

export type { CodeRunEnd, CodeRunStart, JournaledCodeRun } from './journal/events/code-journal.ts'
export type { CallOutcome, CodeRunOutcome, EventFailure, UpstreamStateName } from './journal/events/events.ts'
export {
  createCounters,
  type McpCount,
  type McpCounter,
  type McpCounterName,
  type McpCounters,
  type McpCounterTags,
} from './journal/sinks/counters.ts'
export { hooksJournal } from './journal/sinks/hooks-journal.ts'
export { type JsonLinesOptions, type JsonLinesSink, jsonLinesSink } from './journal/sinks/json-lines-sink.ts'
