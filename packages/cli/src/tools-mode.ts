import type { ToolsMode } from '@toolbridge/gateway'
import { type Options, textOption } from './command.ts'
import { UsageError } from './usage-error.ts'

const modes: readonly ToolsMode[] = ['all', 'search', 'code']

/** How MCP hosts get the tools: `--tools`. */
export function toolsMode(options: Options): ToolsMode {
  const text = textOption(options, 'tools') ?? 'all'
  const mode = modes.find((name) => name === text)
  if (mode === undefined) throw new UsageError(`invalid --tools "${text}": expected all, search or code`)
  return mode
}
