import { isJsonObject } from '@toolbridge/client/internal'
import type { StageResult } from '@toolbridge/bridge/doctor'

/** State of a server, in the words of a bridge's status where they apply. */
export type DoctorState =
  | 'ready'
  | 'failed'
  | 'unauthorized'
  | 'untrusted'
  | 'disabled'
  | 'refused'
  | 'not-started'

/** Whether the server shook hands. */
export interface InitializeState {
  readonly status: 'ok' | 'failed' | 'skipped'
  readonly protocol_version?: string
  readonly server_info?: object
  readonly elapsed_ms?: number
  readonly error?: string
  readonly code?: string
  readonly stderr?: readonly string[]
}

/** Whether the server listed its tools. */
export interface ToolsState {
  readonly status: 'ok' | 'failed' | 'skipped'
  readonly error?: string
  readonly code?: string
  readonly count: number
  readonly names: readonly string[]
  /** The tools with their public and their own names. */
  readonly discovered: readonly object[]
}

const listStages: ReadonlySet<string> = new Set(['capabilities', 'list'])

/** The error that ended the examination of a server, if any. */
export function endOf(results: readonly StageResult[]): StageResult | undefined {
  return results.find(({ outcome }) => outcome === 'error')
}

export function stateOf(results: readonly StageResult[]): DoctorState {
  if (results.some(({ code }) => code === 'disabled')) return 'disabled'
  const end = endOf(results)
  if (end?.code === 'untrusted') return 'untrusted'
  if (end?.stage === 'authorization') return 'unauthorized'
  if (end !== undefined) return results.some(({ stage }) => stage === 'trust') ? 'failed' : 'refused'
  return factsOf(results, 'era') === undefined ? 'not-started' : 'ready'
}

export function initializeState(results: readonly StageResult[]): InitializeState {
  const era = factsOf(results, 'era')
  if (era !== undefined) {
    const { protocolVersion, serverInfo, connectedInMs } = era
    return {
      status: 'ok',
      ...(typeof protocolVersion === 'string' ? { protocol_version: protocolVersion } : {}),
      ...(typeof serverInfo === 'object' && serverInfo !== null ? { server_info: serverInfo } : {}),
      ...(typeof connectedInMs === 'number' ? { elapsed_ms: connectedInMs } : {}),
    }
  }
  const end = endOf(results)
  if (end === undefined) return { status: 'skipped' }
  const { seen, code, stderr } = end
  return { status: 'failed', error: seen, code, ...(stderr === undefined ? {} : { stderr }) }
}

export function toolsState(results: readonly StageResult[]): ToolsState {
  const none = { count: 0, names: [], discovered: [] }
  const end = endOf(results)
  if (end !== undefined && listStages.has(end.stage))
    return { status: 'failed', error: end.seen, code: end.code, ...none }
  const list = factsOf(results, 'list')
  if (list === undefined) return { status: 'skipped', ...none }
  const { names, rawNames } = factsOf(results, 'names') ?? {}
  const publicNames = textsOf(names)
  const discovered = textsOf(rawNames).map((rawName, index) => ({
    ...toolNamed(list['tools'], rawName),
    name: publicNames[index],
    local_name: rawName,
  }))
  return { status: 'ok', count: publicNames.length, names: publicNames, discovered }
}

/** Title and description of a tool. */
function toolNamed(tools: unknown, rawName: string): object {
  const found: unknown = Array.isArray(tools)
    ? tools.find((tool) => isJsonObject(tool) && tool['name'] === rawName)
    : {}
  return isJsonObject(found) ? found : {}
}

/** The facts of a stage that passed. */
export function factsOf(results: readonly StageResult[], stage: StageResult['stage']): StageResult['facts'] {
  return results.find(
    (result) => result.stage === stage && result.outcome !== 'skipped' && result.outcome !== 'error',
  )?.facts
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
