import { McpAuthError } from '../messages/mcp-auth-error.ts'

/** One challenge of a `WWW-Authenticate` field. The scheme and the parameter names are in lower case. */
export interface AuthChallenge {
  readonly scheme: string
  readonly token68?: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Parses the challenges of one or several joined `WWW-Authenticate` fields (RFC 9110 section 11.6.1), in order. */
export function parseChallenges(field: string): readonly AuthChallenge[] {
  const reader = new FieldReader(field)
  const challenges: AuthChallenge[] = []
  reader.skipEmptyElements()
  while (!reader.isAtEnd) challenges.push(readOneChallenge(reader))
  return challenges
}

/** Stops after the comma before the next challenge, or at the end of the field. */
function readOneChallenge(reader: FieldReader): AuthChallenge {
  const scheme = reader.token('a scheme name').toLowerCase()
  const hasSpace = reader.skip(/[ \t]+/y)
  if (reader.endsElement()) return { scheme, parameters: new Map() }
  if (!hasSpace) throw reader.problem('a space after the scheme')
  const token68 = reader.wholeElement(/[A-Za-z0-9\-._~+/]+=*/y)
  if (token68 === undefined) return { scheme, parameters: readParameters(reader) }
  return { scheme, token68, parameters: new Map() }
}

function readParameters(reader: FieldReader): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  do {
    const name = reader.token('a parameter name').toLowerCase()
    if (!reader.equals()) throw reader.problem('"=" after a parameter name')
    if (parameters.has(name)) throw reader.problem('no duplicate parameter')
    parameters.set(name, reader.tokenOrQuoted())
    if (!reader.endsElement()) throw reader.problem('a comma')
  } while (!reader.isAtEnd && reader.isAtParameter())
  return parameters
}

const tokenPattern = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y

/** A cursor over the field. */
class FieldReader {
  readonly #field: string
  #position = 0

  constructor(field: string) {
    this.#field = field
  }

  get isAtEnd(): boolean {
    return this.#position === this.#field.length
  }

  /** Consumes what the sticky pattern matches here. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position
    const [text] = pattern.exec(this.#field) ?? []
    this.#position += text?.length ?? 0
    return text
  }

  skip(pattern: RegExp): boolean {
    return this.take(pattern) !== undefined
  }

  token(expected: string): string {
    const token = this.take(tokenPattern)
    if (token === undefined) throw this.problem(expected)
    return token
  }

  tokenOrQuoted(): string {
    const start = this.#position
    if (!this.skip(/"/y)) return this.token('a token or a quoted string')
    const quoted = this.take(/(?:[^"\\]|\\[^])*/y) ?? ''
    if (this.skip(/"/y)) return quoted.replaceAll(/\\([^])/g, '$1')
    this.#position = start
    throw this.problem('a token or a quoted string')
  }

  /** Whether a list element ends here; if so, advances to the next one. Lists may have empty elements. */
  endsElement(): boolean {
    const start = this.#position
    this.skip(/[ \t]+/y)
    if (this.isAtEnd || this.skip(/,[ \t,]*/y)) return true
    this.#position = start
    return false
  }

  /** Consumes what the sticky pattern matches here if the list element ends after it, and the end. */
  wholeElement(pattern: RegExp): string | undefined {
    const start = this.#position
    const text = this.take(pattern)
    if (text !== undefined && this.endsElement()) return text
    this.#position = start
    return undefined
  }

  /** Consumes an equals sign, with blanks around it. */
  equals(): boolean {
    const start = this.#position
    this.skip(/[ \t]+/y)
    if (this.skip(/=[ \t]*/y)) return true
    this.#position = start
    return false
  }

  skipEmptyElements(): void {
    this.skip(/[ \t,]*/y)
  }

  /** Whether `name=value` comes next, and not the scheme of another challenge. */
  isAtParameter(): boolean {
    const start = this.#position
    const isParameter = this.skip(tokenPattern) && this.equals()
    this.#position = start
    return isParameter
  }

  /** Reports the position but not the text, which may contain anything. */
  problem(expected: string): McpAuthError {
    return new McpAuthError(
      `malformed WWW-Authenticate header: expected ${expected} at character ${this.#position + 1}`,
      {
        code: 'challenge_malformed',
        stage: 'challenge',
        fix: 'ask the operator of the server to follow RFC 9110 section 11.6.1, for example: Bearer resource_metadata="https://…"',
      },
    )
  }
}
