import type { ClientCapabilities, Implementation } from '../model/capability.ts'
import type { HostOptions } from './codec.ts'

/** Default identity of the client. */
export const THIS_CLIENT: Implementation = { name: 'toolbridge', version: '0.1.0' }

/** The capabilities that the host's handlers declare. */
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
