import { parsedUrl } from '@toolbridge/client/internal'
import { parseVariables } from '../variables/variables.ts'

/** The words of a text, which are separated by white space. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** Whether a text consists of references to variables, without defaults, at most after the scheme of a credential. */
export function isReference(text: string): boolean {
  const pieces = parseVariables(text)
  const [first] = pieces
  const isSchemed = first?.kind === 'text' && /^(?:Bearer|Basic|Token) $/i.test(first.text)
  const references = isSchemed ? pieces.slice(1) : pieces
  return (
    references.length > 0 &&
    references.every(
      (piece) =>
        (piece.kind === 'env' && piece.fallback === undefined) ||
        piece.kind === 'input' ||
        piece.kind === 'secret' ||
        piece.kind === 'context' ||
        piece.kind === 'predefined',
    )
  )
}

const words: ReadonlySet<string> = wordSet(`
  stdio STDIO local http streamable-http streamableHttp streamable_http STREAMABLE_HTTP remote sse SSE
  ws websocket eager lazy on-demand start-first stop-first oauth none
`)

/** Whether a text is a word that a field of a definition can have. */
export function isWord(text: string): boolean {
  return words.has(text)
}

/** Letters with single separators, then a version and a file extension: `python3.12`, `node.exe`, `.nvm`, `v20.19.5`. */
const pathSegment = /^\.?[A-Za-z]+(?:[-_.+@][A-Za-z]+)*(?:-?\d{1,4}(?:\.\d{1,4}){0,3})?(?:\.[a-z]{2,4})?$/

/** Whether a text is the name of a program, or a path whose folders have ordinary names. */
export function isProgram(text: string): boolean {
  const segments = text
    .replace(/^[A-Za-z]:(?=[\\/])/, '')
    .replaceAll(/Program Files(?: \(x86\))?/g, 'Programs')
    .split(/[\\/]/)
  return segments.every(
    (segment, index) => isPathStep(segment, index) || (segment.length <= 40 && pathSegment.test(segment)),
  )
}

/** The root, this folder, or the parent folder. */
function isPathStep(segment: string, index: number): boolean {
  return segment === '.' || segment === '..' || (segment === '' && index === 0)
}

const routeWords: ReadonlySet<string> = wordSet(`
  mcp sse http https ws rpc jsonrpc api stream streamable events event message messages server servers
  tool tools public remote gateway endpoint oauth oauth2 oidc auth authorize authorization token login
  connect callback protocol openid configuration well known resource protected beta latest docs
`)

/** Whether a URL has no user, query and fragment, an ordinary host, and a path of common words and versions. */
export function isPlainUrl(text: string): boolean {
  const [, host = '', path = ''] =
    /^(?:https?|wss?):\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(\/[^?#]*)?$/i.exec(text) ?? []
  if (host === '' || parsedUrl(text) === undefined) return false
  const isOrdinaryHost = host.split('.').every((label) => label.length < 16 || !/\d/.test(label))
  return isOrdinaryHost && path.split('/').every(isRoute)
}

function isRoute(segment: string): boolean {
  if (/^v\d{1,3}(?:\.\d{1,3})?$/.test(segment)) return true
  return segment.split(/[-._]/).every((word) => word === '' || routeWords.has(word))
}
