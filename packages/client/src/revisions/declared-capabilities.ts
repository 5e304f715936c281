import type { ClientCapabilities, Implementation } from '../model/capability.ts'
import type { HostOptions } from './codec.ts'

/** Who speaks, unless the host says who. */
export const THIS_CLIENT: Implementation = { name: 'toolbridge', version: '0.1.0' }

/** What the host's handlers can do for a server. */
export function declaredCapabilities(host: HostOptions): ClientCapabilities {
  const { onElicitation, offersUrls, onSampling, samplingTools, roots, extensions } = host
  return {
    ...(onElicitation === undefined
      ? {}
      : { elicitation: { form: {}, ...(offersUrls === true ? { url: {} } : {}) } }),
    ...(onSampling === undefined ? {} : { sampling: samplingTools === true ? { tools: {} } : {} }),
    ...(roots === undefined ? {} : { roots: {} }),
    ...(extensions === undefined ? {} : { extensions }),
  }
}
