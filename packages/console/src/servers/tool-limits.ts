import type { DefinitionReport } from '@toolbridge/api'

/** Which tools of a server its definition leaves out. */
export function toolLimits({ definition }: DefinitionReport): readonly string[] {
  if (definition === undefined) return []
  const { allow, deny = [], readOnly } = definition.tools
  return [
    ...(allow === undefined ? [] : [`only ${allow.join(', ') || 'no tools'}`]),
    ...(deny.length === 0 ? [] : [`without ${deny.join(', ')}`]),
    ...(readOnly ? ['read-only tools'] : []),
  ]
}
