import { describeIssue } from '../config/spec/issue.ts'
import { ConfigError } from '../errors.ts'
import { messageOf } from '../text/message-of.ts'

/** The message about definitions that could not be applied. */
export function describeReloadFailure(error: unknown): string {
  const issues = error instanceof ConfigError ? error.issues : []
  const errors = issues.filter(({ severity }) => severity === 'error').map(describeIssue)
  const reason = errors.length === 0 ? messageOf(error) : errors.join('. ')
  return `the changed definitions are not in force: ${reason}`
}
