import type { NamingPolicy } from '@toolbridge/client/internal'
import type { ToolSet } from 'ai'
import type { ProfileName } from '../../catalog/profiles/profile.ts'
import type { Answerer } from '../../elicitation/question.ts'
import type { Clock } from '../../async/clock.ts'
import type { OnNotice } from '../notice.ts'
import type { BoundToolkit, FailedToolkit, TransportProvider } from '../toolkits/resolve-toolkits.ts'
import type { ToolkitHostOptions } from '../toolkits/toolkit-opening.ts'
import type { MCPToolkitMapInput } from '../toolkits/toolkits.ts'

export interface WorkflowMCPOptions extends ToolkitHostOptions {
  /** How many servers one invocation may use: 16 unless told. */
  readonly maxServers?: number
  /** Names of tools: those that the servers give, and none for those that two would share, unless told. */
  readonly naming?: Partial<NamingPolicy>
  /** Whose rules the schemas keep to: `generic` unless told. */
  readonly profile?: ProfileName
  /** Warnings are printed to stderr unless told. */
  readonly onNotice?: OnNotice
  /** The machine's unless told. */
  readonly clock?: Clock
}

export interface SetupMCPOptions {
  /** In place of those of the execution context. */
  readonly toolkits?: MCPToolkitMapInput
  /** Asked for names that no toolkit has. */
  readonly transportProvider?: TransportProvider
  /** Aborting ends the wait for servers that are starting, and every call of the tools. */
  readonly signal?: AbortSignal
  /** Where questions of these tools go, before the principal's own answerer. */
  readonly answerer?: Answerer
  /** What tells this use of a workflow from another one of the same principal; the workflow unless told. */
  readonly conversation?: string
}

/** What became of each toolkit that a node asked for. */
export interface MCPNodeReport {
  readonly toolkits: readonly {
    readonly name: string
    readonly source: BoundToolkit['source']
    /** False while only the tools are known that came with the toolkit. */
    readonly isStarted: boolean
    /** Names in the tool set. */
    readonly tools: readonly string[]
  }[]
  /** Toolkits that could not be started, and why. */
  readonly failedTools: readonly FailedToolkit[]
  /** Names that nothing is known about. */
  readonly missing: readonly string[]
  /** Names beyond the number of servers that one invocation may use. */
  readonly refused: readonly string[]
}

export interface MCPStatus {
  readonly configured: boolean
  /** Toolkits of the execution context, and of the file for who may read it. */
  readonly availableServers: readonly string[]
  readonly cachedClients: number
  /** The file that is read for local principals; undefined inside a session. */
  readonly configPath: string | undefined
}

/** The toolkits of workflows. Its functions can be taken apart and passed on. Whoever created it closes it. */
export interface WorkflowMCP extends AsyncDisposable {
  /**
   * The tools of these toolkits for the AI SDK: those of the execution context first, then the provider's, and for a
   * local principal those of the file that `configPath`, `MCP_SECRET_PATH` or the working folder names. A session's are
   * never looked for anywhere else. Toolkits that fail leave the others alone; `reportOf` says what became of each.
   */
  readonly setupMCPForNode: (
    toolNames: readonly string[] | null | undefined,
    workflowId: string,
    configPath?: string,
    options?: SetupMCPOptions,
  ) => Promise<ToolSet>
  /** What became of each toolkit of a tool set that `setupMCPForNode` returned. */
  readonly reportOf: (tools: ToolSet) => MCPNodeReport | undefined
  readonly getMCPStatus: (configPath?: string) => Promise<MCPStatus>
  /** Makes the status a notice, which is printed unless told otherwise. */
  readonly logMCPStatus: (configPath?: string) => Promise<void>
  /**
   * Closes the clients of a workflow: inside an execution context its principal's, outside everybody's. One that is in
   * use is closed when its calls are over, which is not waited for. Tools of theirs that are called later open new ones.
   */
  readonly clearWorkflowMCPClientCache: (workflowId: string) => Promise<void>
  /** The same for every workflow. */
  readonly clearMCPClientCache: () => Promise<void>
  readonly notify: OnNotice
  /** Closes every client; calls in flight fail. Idempotent. */
  readonly close: () => Promise<void>
}
