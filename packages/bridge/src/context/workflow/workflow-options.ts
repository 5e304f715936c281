import type { NamingPolicy } from '@toolbridge/client/internal'
import type { ToolSet } from 'ai'
import type { ProfileName } from '../../catalog/profiles/profile.ts'
import type { Answerer } from '../../elicitation/question.ts'
import type { Clock } from '../../async/clock.ts'
import type { EnteredContext, ExecutionPrincipal } from '../execution-context.ts'
import type { OnNotice } from '../notice.ts'
import type { BoundToolkit, FailedToolkit, TransportProvider } from '../toolkits/resolve-toolkits.ts'
import type { ToolkitHostOptions } from '../toolkits/toolkit-opening.ts'
import type { MCPToolkitMapInput } from '../toolkits/toolkits.ts'

/** Options of `createWorkflowMCP`. */
export interface WorkflowMCPOptions extends ToolkitHostOptions {
  /** Maximum number of servers per invocation. Default: 16. */
  readonly maxServers?: number
  /** Naming of tools. Default: raw names; tools with the same name are left out. */
  readonly naming?: Partial<NamingPolicy>
  /** The provider profile that schemas are lowered for. Default: `generic`. */
  readonly profile?: ProfileName
  /** Receives notices. Default: warnings are printed to stderr. */
  readonly onNotice?: OnNotice
  /** Default: the system clock. */
  readonly clock?: Clock
}

/** Options of `setupMCPForNode`. */
export interface SetupMCPOptions {
  /** The execution context, of `executionContext`. Pass one object to all nodes of an invocation. Default: the active one. */
  readonly context?: EnteredContext
  /** Toolkits of the caller. Default: those of the execution context. */
  readonly toolkits?: MCPToolkitMapInput
  /** Resolves names that no toolkit has. Default: none. */
  readonly transportProvider?: TransportProvider
  /** Aborts the start of servers and every call of the tools. Default: none. */
  readonly signal?: AbortSignal
  /** The answerer of these tools. Default: the principal's. */
  readonly answerer?: Answerer
  /** The conversation of the calls. Default: one per workflow. */
  readonly conversation?: string
  /** The provider profile that schemas are lowered for. Default: that of the host. */
  readonly profile?: ProfileName
  /** The tools to make: their names in the tool set, or their URIs. Default: all. */
  readonly only?: readonly string[]
}

/** The state of each toolkit that a node requested. */
export interface MCPNodeReport {
  /** The usable toolkits. */
  readonly toolkits: readonly {
    readonly name: string
    readonly source: BoundToolkit['source']
    /** False while only the known tools of the toolkit are shown. */
    readonly isStarted: boolean
    /** Names in the tool set. */
    readonly tools: readonly string[]
    /** The server's own names of these tools, in the same order. */
    readonly rawNames: readonly string[]
  }[]
  /** Toolkits that failed, with the error. */
  readonly failedTools: readonly FailedToolkit[]
  /** Unknown names. */
  readonly missing: readonly string[]
  /** Names beyond the server limit of the invocation. */
  readonly refused: readonly string[]
}

/** The status of the toolkits of a workflow host. */
export interface MCPStatus {
  /** Whether any toolkit is available. */
  readonly configured: boolean
  /** Toolkits of the execution context and, for local principals, of the file. */
  readonly availableServers: readonly string[]
  /** Number of open clients. */
  readonly cachedClients: number
  /** The file of local principals; undefined inside a session. */
  readonly configPath: string | undefined
}

/** Key of the function that gives a tool set the report of another one. For `ToolManager`, which adds tools. */
export const shareReport: unique symbol = Symbol('shareReport')

/** The toolkits of workflows. Its functions do not depend on `this`. Close it after use. */
export interface WorkflowMCP extends AsyncDisposable {
  /**
   * Resolves with the tools of these toolkits for the AI SDK. Toolkits come from the execution context, then from the
   * provider and, for a local principal, from the file of `configPath`, `MCP_SECRET_PATH` or the working folder. A
   * failing toolkit does not affect the others; `reportOf` returns the state of each.
   */
  readonly setupMCPForNode: (
    toolNames: readonly string[] | null | undefined,
    workflowId: string,
    configPath?: string,
    options?: SetupMCPOptions,
  ) => Promise<ToolSet>
  /** Returns the report of a tool set of `setupMCPForNode` or `ToolManager.getAllTools`. */
  readonly reportOf: (tools: ToolSet) => MCPNodeReport | undefined
  readonly getMCPStatus: (configPath?: string) => Promise<MCPStatus>
  /** Sends the status as a notice, which is printed by default. */
  readonly logMCPStatus: (configPath?: string) => Promise<void>
  /**
   * Closes the clients of a workflow: those of the principal inside an execution context, else all. A client in use is
   * closed after its calls, without waiting for it. Later calls of its tools open a new one.
   */
  readonly clearWorkflowMCPClientCache: (workflowId: string) => Promise<void>
  /** Closes the clients of every workflow, like `clearWorkflowMCPClientCache`; those of `principal`, if given. */
  readonly clearMCPClientCache: (principal?: ExecutionPrincipal) => Promise<void>
  readonly notify: OnNotice
  /** For `ToolManager` only. */
  readonly [shareReport]: (from: ToolSet, to: ToolSet) => void
  /** Closes every client; calls in flight fail. Idempotent. */
  readonly close: () => Promise<void>
}
