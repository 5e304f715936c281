import type { McpError } from '../../jsonrpc/jsonrpc.ts'
import { supportedVersionsIn } from '../unsupported-version.ts'
import { mutualVersions, namesModernVersion } from '../versions.ts'
import type { Finding } from './probe.ts'

/** The era of a server that refused the probe because of its version. */
export function judgeVersions(error: McpError): Finding {
  const supported = supportedVersionsIn(error)
  const { modern, legacy } = mutualVersions(supported)
  if (modern !== undefined) return { era: 'unclear', version: modern, cause: error }
  if (legacy === undefined && namesModernVersion(supported))
    return { era: 'foreign', supported, cause: error }
  return { era: 'legacy', cause: error, isGone: false }
}
