import type { ClientCapabilities } from '../model/capability.ts'
import type { ClientHost } from './codec.ts'

/** What the host's handlers can do for a server. */
export function declaredCapabilities(host: ClientHost): ClientCapabilities {
  const { onElicitation, offersUrls, onSampling, samplingTools, roots, extensions } = host
  return {
    ...(onElicitation === undefined ? {} : { elicitation: { form: {}, ...(offersUrls ? { url: {} } : {}) } }),
    ...(onSampling === undefined ? {} : { sampling: samplingTools ? { tools: {} } : {} }),
    ...(roots === undefined ? {} : { roots: {} }),
    ...(extensions === undefined ? {} : { extensions }),
  }
}
