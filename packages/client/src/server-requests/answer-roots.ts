import { McpError, McpErrorCode } from '../jsonrpc/jsonrpc.ts'
import type { Root, Roots } from '../model/root.ts'

/** Answers `roots/list`. Fails if the host configured a root that is not a `file://` URI. */
export async function answerRoots(roots: Roots): Promise<{ readonly roots: readonly Root[] }> {
  const known = typeof roots === 'function' ? await roots() : roots
  const foreign = known.filter(({ uri }) => !uri.startsWith('file://'))
  if (foreign.length === 0) return { roots: known }
  throw new McpError(`${foreign.length} of the client's roots are not file:// URIs`, {
    kind: 'unsupported',
    code: McpErrorCode.InternalError,
  })
}
