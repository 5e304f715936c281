import { compileGlob } from '../../text/glob.ts'
import type { ApprovalSpec, ToolApproval } from './server-spec.ts'

/** How much a word about approval asks for; more is stricter. */
export const strictness: Readonly<Record<ToolApproval, number>> = { allow: 0, writes: 1, ask: 2, deny: 3 }

/** What a definition says about calls of one tool; undefined when it says nothing. */
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

/** Whether a name stands for several tools. */
export function isGlob(name: string): boolean {
  return name.includes('*')
}

/** Whether a glob is about a tool. */
export function matchesGlob(glob: string, tool: string): boolean {
  return compileGlob(glob, (literal) => literal)(tool)
}
