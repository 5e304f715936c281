import { compileGlob } from '../../text/glob.ts'
import type { ApprovalSpec, ToolApproval } from './server-spec.ts'

/** Order of approvals; a higher number is stricter. */
export const strictness: Readonly<Record<ToolApproval, number>> = { allow: 0, writes: 1, ask: 2, deny: 3 }

/** Returns the approval that a definition sets for a tool, or undefined if it sets none. */
export function approvalFor(
  { tools = {}, default: usual }: ApprovalSpec,
  tool: string,
): ToolApproval | undefined {
  if (Object.hasOwn(tools, tool)) return tools[tool]
  const [strictest] = Object.entries(tools)
    .filter(([name]) => isGlob(name) && matchesGlob(name, tool))
    .map(([, approval]) => approval)
    .toSorted((a, b) => strictness[b] - strictness[a])
  return strictest ?? usual
}

/** Reports whether a name is a glob. */
export function isGlob(name: string): boolean {
  return name.includes('*')
}

/** Reports whether a glob matches a tool name. */
export function matchesGlob(glob: string, tool: string): boolean {
  return compileGlob(glob, (literal) => literal)(tool)
}
