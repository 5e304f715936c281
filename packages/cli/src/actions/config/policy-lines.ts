import type { PolicyChange } from '@toolbridge/bridge/config'

/** How a host writes things down: the text that was written has that already. */
const aboutWriting = /^(?:config\.|vars\.(?:syntax|fields|phase)$)/

/** What a host does differently with the same definitions, as lines for a person. */
export function policyLines(policies: readonly PolicyChange[]): readonly string[] {
  return policies
    .filter(({ policy }) => !aboutWriting.test(policy))
    .map(
      ({ policy, from, to }) => `differs: ${policy}: ${JSON.stringify(from)} becomes ${JSON.stringify(to)}`,
    )
}
