import { type Policy, policyOf } from './policy.ts'
import type { ServerSpec } from './server-spec.ts'

/** When a server starts. A required one starts with the bridge. */
export function startOf(spec: ServerSpec, ofBridge?: Partial<Policy>): Policy['start'] {
  return spec.required ? 'eager' : (spec.start ?? policyOf('start', spec, ofBridge))
}

/** Whether the bridge does not open if the server fails to start. */
export function isRequired(spec: ServerSpec, ofBridge?: Partial<Policy>): boolean {
  const isFatal = policyOf('onServerFailure', spec, ofBridge) === 'fail'
  return spec.required || (isFatal && startOf(spec, ofBridge) === 'eager')
}

/** How a running server is replaced when its definition changes. */
export function replaceOf(spec: ServerSpec, ofBridge?: Partial<Policy>): Policy['replace'] {
  return spec.replace ?? policyOf('replace', spec, ofBridge)
}
