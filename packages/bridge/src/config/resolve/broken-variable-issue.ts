import type { Issue } from '../spec/issue.ts'
import type { BrokenVariable } from '../variables/variables.ts'
import { issueOf, type ResolveContext } from './resolve-context.ts'

/** The issue about a variable that cannot be replaced. */
export function brokenVariableIssue(piece: BrokenVariable, path: string, context: ResolveContext): Issue {
  switch (piece.kind) {
    case 'unknown':
      return issueOf(context, path, {
        code: 'variable_unknown',
        severity: 'error',
        message: `uses \${${shownName(piece.name)}}, which is not a known variable`,
        fix: 'use ${env:NAME} or ${workspaceFolder}; for a literal ${ write $${',
      })
    case 'nested':
      return issueOf(context, path, {
        code: 'variable_nested',
        severity: 'error',
        message: `has a variable in the default of \${env:${piece.name}}`,
        fix: 'write the default as plain text',
      })
    case 'cyclic':
      return issueOf(context, path, {
        code: 'variable_cyclic',
        severity: 'error',
        message: `has \${env:${piece.name}} as its own default`,
        fix: 'write the default as plain text',
      })
    case 'unterminated':
      return issueOf(context, path, {
        code: 'variable_unterminated',
        severity: 'error',
        message: 'has a ${ without a }',
        fix: 'close it with }; for a literal ${ write $${',
      })
  }
}

/** Quotes a name only if it cannot be part of a secret. */
function shownName(name: string): string {
  if (/^(?:[A-Z][A-Z_]*|userHome|pathSeparator)$/.test(name)) return name
  return `${/^(?:input|file|cmd|command|config|secret|context):/.exec(name)?.[0] ?? ''}…`
}
