import { type NamingPolicy, namingPolicy } from '@toolbridge/client/internal'
import type { Policy } from '../config/spec/policy.ts'

/** The naming settings of a policy. */
export function namingChoices(policy: Partial<Policy>): Partial<NamingPolicy> {
  const { 'naming.separator': separator, 'naming.sanitize': sanitize } = policy
  const { 'naming.maxLength': maxLength, 'naming.onCollision': onCollision } = policy
  return {
    ...(separator === undefined ? {} : { separator }),
    ...(sanitize === undefined ? {} : { sanitize }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(onCollision === undefined ? {} : { onCollision }),
  }
}

/** The naming of a server. Settings of the bridge take precedence over those of its definition. */
export function namingOf(policy: Partial<Policy> | undefined, choices: Partial<NamingPolicy>): NamingPolicy {
  return namingPolicy(policy === undefined ? choices : { ...namingChoices(policy), ...choices })
}
