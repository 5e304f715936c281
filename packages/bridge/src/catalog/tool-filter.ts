import type { Tool } from '@toolbridge/client'
import type { ToolFilter } from '../config/spec/server-spec.ts'
import { compileGlob } from '../text/glob.ts'

/** The filter settings of a definition. */
export interface FilteredDefinition {
  readonly tools?: ToolFilter | undefined
  readonly readOnly?: boolean | undefined
}

/**
 * Compiles the filter of a definition: name globs, where deny wins, and with `readOnly` only tools that the server
 * annotates as read-only.
 */
export function toolFilter({ tools, readOnly }: FilteredDefinition): (tool: Tool) => boolean {
  const allowed = tools?.allow?.map((glob) => compileGlob(glob, (literal) => literal))
  const denied = (tools?.deny ?? []).map((glob) => compileGlob(glob, (literal) => literal))
  return ({ name, annotations }) => {
    if (readOnly === true && annotations?.readOnlyHint !== true) return false
    if (denied.some((matches) => matches(name))) return false
    return allowed === undefined || allowed.some((matches) => matches(name))
  }
}
