import type { ServerSpec, ToolApproval } from './server-spec.ts'
import { approvalFor, strictness } from './tool-approval.ts'

/** Returns the canonical fields by which one definition is more restrictive than another one of the same name. */
export function findLostRestrictions(narrow: ServerSpec, wide: ServerSpec): readonly string[] {
  const checks: readonly (readonly [string, boolean])[] = [
    ['enabled', !narrow.enabled && wide.enabled],
    ['readOnly', narrow.readOnly === true && wide.readOnly !== true],
    ['tools.allow', allowsMore(narrow.tools?.allow, wide.tools?.allow)],
    ['tools.deny', !(narrow.tools?.deny ?? []).every((name) => wide.tools?.deny?.includes(name) === true)],
    ['approval.default', isLooser(narrow.approval?.default, wide.approval?.default)],
    ['approval.tools', asksLess(narrow, wide)],
  ]
  return checks.filter(([, isLost]) => isLost).map(([field]) => field)
}

function allowsMore(narrow: readonly string[] | undefined, wide: readonly string[] | undefined): boolean {
  if (narrow === undefined) return false
  return wide === undefined || !wide.every((name) => narrow.includes(name))
}

/** Without an approval the permission rules decide, and those may allow. */
function isLooser(narrow: ToolApproval | undefined, wide: ToolApproval | undefined): boolean {
  return strictness[narrow ?? 'allow'] > strictness[wide ?? 'allow']
}

function asksLess({ approval: narrow }: ServerSpec, { approval: wide }: ServerSpec): boolean {
  return Object.entries(narrow?.tools ?? {}).some(([tool, approval]) =>
    isLooser(approval, approvalFor(wide ?? {}, tool)),
  )
}
