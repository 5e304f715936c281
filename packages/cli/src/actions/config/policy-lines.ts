import type { PolicyChange } from '@toolbridge/bridge/config'

/** Policies about syntax, which the written text already follows. */
const aboutWriting = /^(?:config\.|vars\.(?:syntax|fields|phase)$)/

/** Lines that describe what the other host does differently with the same definitions. */
export function policyLines(policies: readonly PolicyChange[]): readonly string[] {
  return policies
    .filter(({ policy }) => !aboutWriting.test(policy))
    .map(
      ({ policy, from, to }) => `differs: ${policy}: ${JSON.stringify(from)} becomes ${JSON.stringify(to)}`,
    )
}
