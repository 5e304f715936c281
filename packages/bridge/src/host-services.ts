import type { BridgeOptions } from './bridge-options.ts'
import type { QuestionRouter } from './elicitation/router.ts'
import type { Emit } from './journal/emit.ts'
import type { Redaction } from './journal/redaction.ts'
import type { Gate } from './permission/gate.ts'
import type { Roots } from './roots.ts'
import { Sampling, type SamplingAsker } from './sampling.ts'
import type { HostServices } from './upstream/asking.ts'

/** What a bridge does for servers: asks people, runs the host's model, says where to work. */
export function createHostServices(
  { sampling, approver }: Pick<BridgeOptions, 'sampling' | 'approver'>,
  parts: {
    readonly router: QuestionRouter
    readonly gate: Gate
    readonly emit: Emit
    readonly redaction: Redaction
    readonly roots: Roots | undefined
  },
): HostServices {
  const { gate, ...services } = parts
  const permit = ({ server, origin, answerer }: SamplingAsker, request: object, signal: AbortSignal) =>
    gate.permitAbout(
      { namespace: 'sampling', server, item: 'message' },
      { args: { ...request }, origin, approver: approver ?? answerer, signal },
    )
  return {
    ...services,
    sampling: sampling && new Sampling(sampling, { emit: parts.emit, permit }),
  }
}
