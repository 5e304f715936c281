import type { dynamicTool, jsonSchema, Tool, ToolSet } from 'ai'
import type { Bridge } from '../bridge.ts'
import type { ProfileName } from '../catalog/profiles/profile.ts'
import { isApproved, needsApproval } from './ai-sdk-approval.ts'
import { modelOutput } from './ai-sdk-output.ts'
import { type AiSdkVersion, versionOf } from './ai-sdk-version.ts'
import { type ModelSurface, type ModelToolsOptions, modelSurface, type SurfaceTool } from './model-surface.ts'
import { progressThenResult } from './progress-then-result.ts'

/** Options of `aiSdkTools`. */
export interface AiSdkToolOptions extends ModelToolsOptions {
  /** The provider profile that schemas are lowered for. Default: `generic`. */
  readonly profile?: ProfileName
  /** The AI SDK that uses the tools: results with media differ in 6 and 7. Default: the version of the installed `ai`. */
  readonly sdkVersion?: AiSdkVersion
  /**
   * Whether calls that the permission rules ask about are approved in the approval flow of the AI SDK instead of by the
   * answerer of the bridge. An approval holds for one call with its arguments. Calls that the rules deny stay denied; a
   * changed tool or a control file is still asked about by the answerer. Default: false.
   */
  readonly sdkApproval?: boolean
  /** Whether each progress notification of a server is a preliminary result, a `Progress`. Default: false. */
  readonly preliminaryResults?: boolean
}

/** What the adapter uses of the `ai` package. */
export interface AiSdk {
  readonly dynamicTool: typeof dynamicTool
  readonly jsonSchema: typeof jsonSchema
}

/** The current tools of a bridge for an AI SDK. */
export function toolSet(sdk: AiSdk, bridge: Bridge, options: AiSdkToolOptions): ToolSet {
  const { profile = 'generic', sdkVersion = versionOf(sdk), sdkApproval } = options
  const surface = modelSurface(bridge, profile, options)
  const show = modelOutput(bridge, sdkVersion)
  const toTool = (tool: SurfaceTool): Tool =>
    sdk.dynamicTool({
      ...(tool.definition?.title === undefined ? {} : { title: tool.definition.title }),
      description: tool.description,
      inputSchema: sdk.jsonSchema(tool.parameters),
      ...(sdkApproval === true ? { needsApproval: needsApproval(surface, tool.name) } : {}),
      execute: executeOf(surface, tool.name, options),
      toModelOutput: ({ output }) => show(output),
    })
  return Object.fromEntries(surface.tools.map((tool) => [tool.name, toTool(tool)]))
}

type Execute = NonNullable<Parameters<typeof dynamicTool>[0]['execute']>

function executeOf(
  surface: ModelSurface,
  name: string,
  { sdkApproval, preliminaryResults, onProgress: onOwnProgress }: AiSdkToolOptions,
): Execute {
  return (input, { abortSignal: signal, toolCallId, messages }) => {
    const approved = sdkApproval === true && isApproved({ toolCallId, toolName: name, input }, messages)
    if (preliminaryResults !== true) return surface.call(name, input, { signal, approved })
    return progressThenResult(signal, (onProgress, ended) =>
      surface.call(name, input, {
        signal: ended,
        approved,
        onProgress: (progress) => {
          onOwnProgress?.(progress)
          onProgress(progress)
        },
      }),
    )
  }
}
