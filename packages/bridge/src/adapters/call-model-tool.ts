import type { CallToolResult } from '@toolbridge/client'
import type { Bridge } from '../bridge.ts'
import type { CallOptions } from '../call.ts'
import type { ModelTool } from '../catalog/tool-compiler.ts'
import { errorResult } from '../results/checked-output.ts'

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
