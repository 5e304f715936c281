import { type NamingPolicy, namingPolicy } from '@toolbridge/client/internal'
import type { Policy } from '../config/spec/policy.ts'

/** What a policy record says of names. */
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

/** How the tools of a server are named: what was chosen for all goes before what its definition says. */
export function namingOf(policy: Partial<Policy> | undefined, choices: Partial<NamingPolicy>): NamingPolicy {
  return namingPolicy(policy === undefined ? choices : { ...namingChoices(policy), ...choices })
}
