import type { BridgeOptions } from './bridge-options.ts'
import type { QuestionRouter } from './elicitation/router.ts'
import type { Emit } from './journal/events/emit.ts'
import type { Redaction } from './journal/redaction/redaction.ts'
import type { Permissions } from './permission/permissions.ts'
import type { Roots } from './roots.ts'
import { Sampling, type SamplingSource } from './sampling.ts'
import type { ClientFeatures } from './upstream/connections/server-questions.ts'

/** Creates the client features that servers can use: elicitation, sampling, roots. */
export function createClientFeatures(
  { sampling, approver }: Pick<BridgeOptions, 'sampling' | 'approver'>,
  parts: {
    readonly router: QuestionRouter
    readonly permissions: Permissions
    readonly emit: Emit
    readonly redaction: Redaction
    readonly roots: Roots | undefined
  },
): ClientFeatures {
  const { permissions, ...services } = parts
  const permit = ({ server, origin, answerer }: SamplingSource, request: object, signal: AbortSignal) =>
    permissions.permitAbout(
      { namespace: 'sampling', server, item: 'message' },
      { args: { ...request }, origin, approver: approver ?? answerer, signal },
    )
  return {
    ...services,
    sampling: sampling && new Sampling(sampling, { emit: parts.emit, permit }),
  }
}
