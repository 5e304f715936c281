import { resolve as resolvePath } from 'node:path'
import { ConfigError } from '../errors.ts'
import { type Expansion, type ExpansionPlace, expand } from './expand.ts'
import { type Issue, pointerTo } from './issue.ts'
import type { Authority, HttpServerSpec, ResolvedSpec, ServerSpec, StdioServerSpec } from './spec.ts'

export interface Resolution {
  readonly spec: ResolvedSpec
  /** Warnings: the spec can be started, but probably not as its author meant. */
  readonly issues: readonly Issue[]
}

export interface ResolveOptions {
  readonly signal?: AbortSignal
}

/** The authority of the person who runs this process: its environment and its working directory. */
export function localAuthority(): Authority {
  return { kind: 'local', env: process.env, workspaceFolder: process.cwd() }
}

/**
 * Replaces the variables of a definition: the only place where that happens. Under `session` authority nothing of this
 * machine may be drawn on: a reference to the environment or the workspace, or a working directory, is refused.
 * Throws a `ConfigError` with every issue.
 */
export async function resolveSpec(
  spec: ServerSpec,
  authority: Authority,
  options: ResolveOptions = {},
): Promise<Resolution> {
  options.signal?.throwIfAborted()
  const resolver = new Resolver(spec, authority)
  const resolved = spec.transport === 'stdio' ? resolveStdio(spec, resolver) : resolveHttp(spec, resolver)
  const { issues } = resolver
  if (issues.some((issue) => issue.severity === 'error')) throw ConfigError.of(issues)
  return { spec: resolved as ResolvedSpec, issues }
}

function resolveStdio(spec: StdioServerSpec, resolver: Resolver): StdioServerSpec {
  const cwd = resolver.workingDirectory(spec.cwd)
  return {
    ...spec,
    command: resolver.command('/command', spec.command),
    args: spec.args.map((arg, index) => resolver.processText(pointerTo('/args', index), arg)),
    env: mapValues(spec.env, (value, name) => resolver.processText(pointerTo('/env', name), value)),
    ...(cwd === undefined ? {} : { cwd }),
  }
}

function resolveHttp(spec: HttpServerSpec, resolver: Resolver): HttpServerSpec {
  return {
    ...spec,
    url: resolver.url('/url', spec.url),
    headers: mapValues(spec.headers, (value, name) =>
      resolver.header(pointerTo('/headers', name), name, value),
    ),
  }
}

function mapValues(
  map: Readonly<Record<string, string>>,
  change: (value: string, key: string) => string | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(map).flatMap(([key, value]) => {
      const changed = change(value, key)
      return changed === undefined ? [] : [[key, changed]]
    }),
  )
}

/** Resolves the fields of one definition and gathers what there is to say about them. No message quotes a value. */
class Resolver {
  readonly issues: Issue[] = []
  readonly #spec: ServerSpec
  readonly #authority: Authority

  constructor(spec: ServerSpec, authority: Authority) {
    this.#spec = spec
    this.#authority = authority
  }

  command(path: string, value: string): string {
    const text = this.processText(path, value)
    const isEmpty = text.trim() === '' && !this.issues.some((issue) => issue.severity === 'error')
    if (isEmpty) this.#refuse(path, 'value_invalid', 'is empty', 'name the program to start')
    return text
  }

  processText(path: string, value: string): string {
    const { text } = this.#expand(path, value)
    if (text.includes('\0')) this.#refuse(path, 'value_invalid', 'holds a NUL character', 'remove it')
    return text
  }

  url(path: string, value: string): string {
    const { text, isBroken } = this.#expand(path, value)
    if (isBroken) return text
    const protocol = URL.canParse(text) ? new URL(text).protocol : ''
    if (protocol === 'http:' || protocol === 'https:') return text
    this.#refuse(
      path,
      'value_invalid',
      'is not an http or https address',
      'write a whole address, such as https://…',
    )
    return text
  }

  /** Undefined when the header is not to be sent: a token that is not set must not go out as an empty one. */
  header(path: string, name: string, value: string): string | undefined {
    const { text, isOnlyUnsetVariables } = this.#expand(path, value)
    if (isOnlyUnsetVariables) return undefined
    const trimmed = text.trim()
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      this.#refuse(path, 'value_invalid', 'is not a valid header name', 'correct the name')
    }
    // RFC 9110 section 5.5: the tab and no other control character.
    if (!/^[\t\x20-\x7E\x80-\xFF]*$/.test(trimmed)) {
      this.#refuse(
        path,
        'value_invalid',
        'holds characters that a header cannot carry',
        'remove line ends and controls',
      )
    }
    return trimmed
  }

  workingDirectory(value: string | undefined): string | undefined {
    if (this.#authority.kind === 'local') {
      const folder = value === undefined ? '' : this.processText('/cwd', value)
      return resolvePath(this.#authority.workspaceFolder, folder)
    }
    if (value !== undefined) {
      this.#refuse(
        '/cwd',
        'not_for_session',
        'names a folder of the machine that runs the server',
        'remove it',
      )
    }
    return undefined
  }

  #expand(path: string, value: string): Expansion {
    const place: ExpansionPlace = { server: this.#spec.name, source: this.#spec.source, path }
    const expansion = expand(value, this.#authority, place)
    this.issues.push(...expansion.issues)
    return expansion
  }

  #refuse(path: string, code: string, problem: string, fix: string): void {
    const { name, source } = this.#spec
    this.issues.push({
      code,
      severity: 'error',
      file: source.file,
      path: source.pointer + path,
      message: `server "${name}": ${path.slice(1)} ${problem}`,
      fix,
    })
  }
}
