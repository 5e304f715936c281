import { McpAuthError } from '../messages/mcp-auth-error.ts'

/** One challenge of a `WWW-Authenticate` field. Scheme and names of parameters are in lower case. */
export interface AuthChallenge {
  readonly scheme: string
  readonly token68?: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Reads the challenges of one or several joined `WWW-Authenticate` fields (RFC 9110 section 11.6.1), in their order. */
export function parseChallenges(field: string): readonly AuthChallenge[] {
  const reader = new FieldReader(field)
  const challenges: AuthChallenge[] = []
  reader.skipEmptyElements()
  while (!reader.isAtEnd) challenges.push(readOneChallenge(reader))
  return challenges
}

/** Ends behind the comma that separates the next challenge from this one, or at the end of the field. */
function readOneChallenge(reader: FieldReader): AuthChallenge {
  const scheme = reader.token('the name of a scheme').toLowerCase()
  const hasSpace = reader.skip(/[ \t]+/y)
  if (reader.endsElement()) return { scheme, parameters: new Map() }
  if (!hasSpace) throw reader.problem('a space after the scheme')
  const token68 = reader.take(/[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$))/y)
  if (token68 === undefined) return { scheme, parameters: readParameters(reader) }
  if (!reader.endsElement()) throw reader.problem('a comma')
  return { scheme, token68, parameters: new Map() }
}

function readParameters(reader: FieldReader): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  do {
    const name = reader.token('the name of a parameter').toLowerCase()
    if (!reader.skip(/[ \t]*=[ \t]*/y)) throw reader.problem('"=" after the name of a parameter')
    if (parameters.has(name)) throw reader.problem('each parameter once')
    parameters.set(name, reader.tokenOrQuoted())
    if (!reader.endsElement()) throw reader.problem('a comma')
  } while (!reader.isAtEnd && reader.isAtParameter())
  return parameters
}

/** A place in the field that moves on as its parts are read. */
class FieldReader {
  readonly #field: string
  #position = 0

  constructor(field: string) {
    this.#field = field
  }

  get isAtEnd(): boolean {
    return this.#position === this.#field.length
  }

  /** Moves over what the pattern matches here. Patterns are sticky. */
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
    const token = this.take(/[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y)
    if (token === undefined) throw this.problem(expected)
    return token
  }

  tokenOrQuoted(): string {
    const quoted = this.take(/"(?:[^"\\]|\\[^])*"/y)
    if (quoted === undefined) return this.token('a word or a text in quotes')
    return quoted.slice(1, -1).replaceAll(/\\([^])/g, '$1')
  }

  /** Whether a list element ends here; if so, moves to the next one. Lists may have empty elements. */
  endsElement(): boolean {
    return this.skip(/[ \t]*(?:,[ \t,]*|$)/y)
  }

  skipEmptyElements(): void {
    this.skip(/[ \t,]*/y)
  }

  /** Whether what comes next is `name=value` and not the scheme of another challenge. */
  isAtParameter(): boolean {
    const ahead = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+[ \t]*=/y
    ahead.lastIndex = this.#position
    return ahead.test(this.#field)
  }

  /** Names the place and not the text, which may be anything. */
  problem(expected: string): McpAuthError {
    return new McpAuthError(
      `the server's WWW-Authenticate header cannot be read: at character ${this.#position + 1} there should be ${expected}`,
      {
        code: 'challenge_malformed',
        stage: 'challenge',
        fix: 'have whoever runs the server follow RFC 9110 section 11.6.1, for instance: Bearer resource_metadata="https://…"',
      },
    )
  }
}
