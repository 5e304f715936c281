import type { BridgeOptions } from './bridge-options.ts'
import type { ServerSpec } from './config/spec/server-spec.ts'
import type { QuestionRouter } from './elicitation/router.ts'
import type { Emit } from './journal/events/emit.ts'
import type { Redaction } from './journal/redaction/redaction.ts'
import type { Permissions } from './permission/permissions.ts'
import { PermittedRoots, type SettableRoots } from './roots.ts'
import { Sampling, type SamplingSource } from './sampling.ts'
import type { ClientFeatures } from './upstream/connections/server-questions.ts'

type FeatureOptions = Pick<BridgeOptions, 'sampling' | 'approver' | 'authority' | 'authorityOf'>

/** Creates the client features that servers can use: elicitation, sampling, roots. */
export function createClientFeatures(
  { sampling, approver, authority, authorityOf }: FeatureOptions,
  parts: {
    readonly router: QuestionRouter
    readonly permissions: Permissions
    readonly emit: Emit
    readonly redaction: Redaction
    readonly roots: SettableRoots | undefined
  },
): ClientFeatures {
  const { permissions, roots, ...services } = parts
  const permit = ({ server, origin, answerer }: SamplingSource, request: object, signal: AbortSignal) =>
    permissions.permitAbout(
      { namespace: 'sampling', server, item: 'message' },
      { args: { ...request }, origin, approver: approver ?? answerer, signal },
    )
  const ruleAgainst = (uri: string, spec: ServerSpec, principal: string): string | undefined =>
    permissions.ruleAgainst(uri, { spec, authority: authorityOf?.(spec) ?? authority }, principal)
  return {
    ...services,
    roots: roots && new PermittedRoots(roots, { emit: parts.emit, ruleAgainst }),
    sampling: sampling && new Sampling(sampling, { emit: parts.emit, permit }),
  }
}
