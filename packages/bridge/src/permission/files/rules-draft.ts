import type { DocumentLocation, Field } from '../../config/documents/config-document.ts'
import type { DocumentNode } from '../../config/documents/node.ts'
import type { RuleKind } from '../rules/rules.ts'

/** A rule as it will be checked, and its location in the file. */
export interface DraftRule {
  readonly value: unknown
  readonly at: DocumentLocation
}

/** A problem at a location. */
export interface DraftFinding {
  readonly at: DocumentLocation
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly fix: string
}

/** Rules of a file before they are checked. */
export interface Draft {
  /** The object that has the rules. */
  readonly root: DocumentLocation
  /** The rules. The lists of `rules` are in the same order. */
  readonly value: unknown
  readonly rules: ReadonlyMap<RuleKind, readonly DraftRule[]>
  readonly mode: Field | undefined
  readonly findings: readonly DraftFinding[]
}

export const ruleKinds: readonly RuleKind[] = ['allow', 'ask', 'deny']

/** The value of a node. A repeated key counts once, as in most parsers. */
export function valueOf({ type, value, children = [] }: DocumentNode): unknown {
  if (type === 'array') return children.map(valueOf)
  if (type !== 'object') return value
  return Object.fromEntries(
    children.map(({ children: [key, node] = [] }) => [String(key?.value), node && valueOf(node)]),
  )
}
