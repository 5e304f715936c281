import type { CallToolResult } from '@toolbridge/client'
import type { Bridge } from '../bridge.ts'
import type { CallOptions } from '../call.ts'
import type { ModelTool } from '../catalog/tool-compiler.ts'
import type { CallPermission } from '../permission/permissions.ts'
import { errorResult } from '../results/checked-output.ts'

/** A tool to call, with arguments for its lowered schema. */
export interface ModelCall {
  readonly model: ModelTool
  readonly args: unknown
}

/** Calls a tool with arguments for its lowered schema. Invalid arguments resolve with an error result. */
export function callModelTool(
  bridge: Bridge,
  model: ModelTool,
  args: unknown,
  options: CallOptions,
): Promise<CallToolResult> {
  const raised = model.restore(args)
  const { name } = model.tool
  if (raised.kind === 'refused')
    return Promise.resolve(errorResult(`${name} was not called: ${raised.reason}`))
  return bridge.call(name, raised.args, options)
}

/** What the permission rules say about a call; undefined if it is not made because its arguments are invalid. */
export async function permissionForModelTool(
  bridge: Bridge,
  { model, args }: ModelCall,
  { origin }: Pick<CallOptions, 'origin'>,
): Promise<CallPermission | undefined> {
  const raised = model.restore(args)
  if (raised.kind === 'refused') return undefined
  return bridge.permissionFor(model.tool.name, raised.args, origin && { origin })
}
