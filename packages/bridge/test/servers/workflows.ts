import type { MCPTransportSpec } from '@toolbridge/bridge/context'
import { toText } from '@toolbridge/bridge'
import {
  createWorkflowMCP,
  type MCPNotice,
  type WorkflowMCP,
  type WorkflowMCPOptions,
} from '@toolbridge/bridge/workflow'
import type { ToolSet } from 'ai'
import { inMemory, linkInMemory } from './in-memory.ts'
import { plainServer } from './specs.ts'

/** A workflow host of a test: nobody is asked for calls, and what it has to say is kept. */
export interface TestWorkflows extends WorkflowMCP {
  readonly notices: readonly MCPNotice[]
}

export function createTestWorkflows(options: WorkflowMCPOptions = {}): TestWorkflows {
  const notices: MCPNotice[] = []
  const mcp = createWorkflowMCP({
    clientOptions: () => ({ permissions: { mode: 'allow' }, hooks: {}, transportOf: linkInMemory }),
    onNotice: (notice) => notices.push(notice),
    ...options,
  })
  return { ...mcp, notices }
}

/** A toolkit whose `echo` answers with the name it was given, as a stand-in for somebody's key. */
export function plainToolkit(name: string): { readonly transportSpec: MCPTransportSpec } {
  const { command, args, env } = plainServer(name)
  return { transportSpec: { command, args, env } }
}

/** A toolkit whose server runs in this process, for hosts with `transportOf: linkInMemory`. */
export function memoryToolkit(
  program: 'hello' | 'elicit',
  env: Readonly<Record<string, string>> = {},
): { readonly transportSpec: MCPTransportSpec } {
  const { command, args } = inMemory(program)
  return { transportSpec: { command, args, env } }
}

/** Calls a tool the way the AI SDK does, and reads the text. */
export async function callTool(tools: ToolSet, name: string, args: object = {}): Promise<string> {
  const result: unknown = await tools[name]?.execute?.(args, { toolCallId: '1', messages: [] })
  if (typeof result !== 'object' || result === null || !('content' in result))
    throw new TypeError(`no tool ${name}`)
  return toText(result as Parameters<typeof toText>[0])
}

export function session(id: string): { readonly id: string; readonly kind: 'session' } {
  return { id, kind: 'session' }
}
