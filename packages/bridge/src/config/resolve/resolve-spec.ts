import { resolve as resolvePath } from 'node:path'
import { parsedUrl } from '@toolbridge/client/internal'
import { safeEnv } from '@toolbridge/client/stdio'
import { ConfigError } from '../../errors.ts'
import { type Issue, pointerTo } from '../spec/issue.ts'
import { remoteTransports } from '../spec/remote-transports.ts'
import type {
  Authority,
  AuthSpec,
  HttpServerSpec,
  ResolvedSpec,
  ServerSpec,
  StdioServerSpec,
} from '../spec/server-spec.ts'
import type { SpecFieldName } from '../spec/spec-fields.ts'
import { type Expansion, expandVariables } from './expand-variables.ts'
import {
  baseFolderOf,
  issueOf,
  notForSession,
  type ResolveContext,
  resolveContextOf,
} from './resolve-context.ts'
import { resolveEnvironment } from './resolve-environment.ts'
import type { ResolveOptions } from './resolve-options.ts'
import { runHeadersHelper } from './run-headers-helper.ts'

/** The result of `resolveSpec`. */
export interface Resolution {
  /** The definition with variables replaced. */
  readonly spec: ResolvedSpec
  /** Warnings. Errors are thrown. */
  readonly issues: readonly Issue[]
}

/**
 * Returns the authority of the user of this process: `process.env` and the working directory.
 *
 * @example
 * ```ts
 * import { localAuthority } from '@toolbridge/bridge'
 *
 * const authority = { ...localAuthority(), workspaceFolder: '/home/ada/project' }
 * console.log(authority.kind) // local
 * ```
 */
export function localAuthority(): Authority & { readonly kind: 'local' } {
  return { kind: 'local', env: process.env, workspaceFolder: process.cwd() }
}

/**
 * Replaces the variables of a definition, reads its files and runs its headers helper. No other function does so. Under
 * `session` authority, variables of the environment, files and the workspace, a working directory and a helper are
 * refused. Throws a `ConfigError` with all issues.
 */
export async function resolveSpec(
  spec: ServerSpec,
  authority: Authority,
  options: ResolveOptions = {},
): Promise<Resolution> {
  options.signal?.throwIfAborted()
  const resolver = new Resolver(resolveContextOf(spec, authority, options))
  const resolved = await (spec.transport === 'stdio' ? resolver.stdio(spec) : resolver.remote(spec))
  const { issues } = resolver
  if (issues.some((issue) => issue.severity === 'error')) throw ConfigError.of(issues)
  const { sensitiveValues } = resolver
  return {
    spec: (sensitiveValues.length === 0 ? resolved : { ...resolved, sensitiveValues }) as ResolvedSpec,
    issues,
  }
}

/** Resolves the fields of one definition and collects issues. Messages never contain values. */
class Resolver {
  readonly issues: Issue[] = []
  readonly sensitiveValues: string[] = []
  readonly #context: ResolveContext

  constructor(context: ResolveContext) {
    this.#context = context
  }

  async stdio(spec: StdioServerSpec): Promise<StdioServerSpec> {
    const cwd = await this.#workingDirectory(spec.cwd)
    const command = await this.#command(spec.command)
    const args = await this.#list(spec.args, '/args', 'args')
    const own = await this.#map(spec.env, '/env', (path, value) => this.#processText(path, 'env', value))
    const isLocal = this.#context.authority.kind === 'local'
    const envFile =
      isLocal && spec.envFile !== undefined
        ? await this.#processText('/envFile', 'envFile', spec.envFile)
        : undefined
    const environment = await resolveEnvironment(spec, own, envFile, this.#context, (issue) =>
      this.issues.push(issue),
    )
    const { envFile: _file, inheritNames: _names, unsetEnv: _unset, inheritEnv: _inherit, ...rest } = spec
    const { env, inheritEnv } = environment
    return {
      ...rest,
      command,
      args,
      env,
      ...(inheritEnv === 'safe' ? {} : { inheritEnv }),
      ...(cwd === undefined ? {} : { cwd }),
    }
  }

  async remote(spec: HttpServerSpec): Promise<HttpServerSpec> {
    const url = await this.#url(spec)
    const headers = await this.#map(spec.headers, '/headers', (path, value, name) =>
      this.#header(path, name, value),
    )
    const helped = spec.headersHelper === undefined ? {} : await this.#helperHeaders(spec, spec.headersHelper)
    const auth = spec.auth === undefined ? {} : { auth: await this.#auth(spec.auth) }
    const { headersHelper: _helper, ...rest } = spec
    return { ...rest, url, headers: { ...headers, ...helped }, ...auth }
  }

  async #command(value: string): Promise<string> {
    const text = (await this.#processText('/command', 'command', value)) ?? ''
    const isEmpty = text.trim() === '' && !this.issues.some((issue) => issue.severity === 'error')
    if (isEmpty) this.#refuse('/command', 'is empty', 'set the program to start')
    return text
  }

  async #list(items: readonly string[], path: string, specField: SpecFieldName): Promise<readonly string[]> {
    const resolved: string[] = []
    for (const [index, item] of items.entries()) {
      const text = await this.#processText(pointerTo(path, index), specField, item)
      if (text !== undefined) resolved.push(text)
    }
    return resolved
  }

  async #map(
    map: Readonly<Record<string, string>>,
    path: string,
    resolve: (path: string, value: string, key: string) => Promise<string | undefined>,
  ): Promise<Readonly<Record<string, string>>> {
    const entries: (readonly [string, string])[] = []
    for (const [key, value] of Object.entries(map)) {
      const text = await resolve(pointerTo(path, key), value, key)
      if (text !== undefined) entries.push([key, text])
    }
    return Object.fromEntries(entries)
  }

  /** Returns undefined if the dialect omits a value with an unset variable. */
  async #processText(path: string, specField: SpecFieldName, value: string): Promise<string | undefined> {
    const { text, isDropped } = await this.#expandVariables(path, specField, value)
    if (text.includes('\0')) this.#refuse(path, 'contains a NUL character', 'remove it')
    return isDropped ? undefined : text
  }

  async #url({ url, transport }: HttpServerSpec): Promise<string> {
    const { text, isBroken } = await this.#expandVariables('/url', 'url', url)
    if (isBroken) return text
    const { schemes } = remoteTransports[transport]
    if (schemes.includes(parsedUrl(text)?.protocol ?? '')) return text
    const [plain, secure] = schemes.map((scheme) => scheme.slice(0, -1))
    this.#refuse(
      '/url',
      `is not an ${plain} or ${secure} URL`,
      `write an absolute URL, such as ${secure}://…`,
    )
    return text
  }

  /** Returns undefined if the header must not be sent: an unset token must not become an empty header. */
  async #header(path: string, name: string, value: string): Promise<string | undefined> {
    const { text, isOnlyUnsetVariables, isDropped } = await this.#expandVariables(path, 'headers', value)
    return isOnlyUnsetVariables || isDropped ? undefined : this.#checkedHeader(path, name, text)
  }

  #checkedHeader(path: string, name: string, value: string): string {
    const trimmed = value.trim()
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      this.#refuse(path, 'is not a valid header name', 'correct the name')
    // RFC 9110 section 5.5 allows no control character except tab.
    if (!/^[\t\x20-\x7E\x80-\xFF]*$/.test(trimmed)) {
      this.#refuse(
        path,
        'contains characters that are not allowed in a header',
        'remove line breaks and control characters',
      )
    }
    return trimmed
  }

  async #helperHeaders(
    { source }: HttpServerSpec,
    helper: NonNullable<HttpServerSpec['headersHelper']>,
  ): Promise<Readonly<Record<string, string>>> {
    const { authority, options } = this.#context
    const path = '/headersHelper'
    if (authority.kind === 'session') {
      this.issues.push(notForSession(this.#context, path, 'a program'))
      return {}
    }
    const isProject = source.kind === 'project'
    if (isProject && options.isTrusted !== true) {
      this.#report(
        'untrusted',
        path,
        'is a program of the project, and its entry is not trusted',
        'trust the entry first',
      )
      return {}
    }
    // A program of a project must not get secrets of the user.
    const env = isProject ? safeEnv(authority.env, process.platform) : authority.env
    const cwd = baseFolderOf(this.#context, authority)
    const { signal } = options
    const headers = await runHeadersHelper(helper, { env, cwd, ...(signal === undefined ? {} : { signal }) })
    if (headers === undefined)
      this.#report(
        'helper_failed',
        path,
        'did not print a JSON object of headers',
        'run it and check what it prints',
      )
    return this.#map(headers ?? {}, path, async (at, value, name) => this.#checkedHeader(at, name, value))
  }

  async #auth(auth: AuthSpec): Promise<AuthSpec> {
    const texts = Object.entries(auth).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
    const resolved = await this.#map(Object.fromEntries(texts), '/auth', (path, value) =>
      this.#processText(path, 'auth', value),
    )
    return { ...auth, ...resolved }
  }

  async #workingDirectory(value: string | undefined): Promise<string | undefined> {
    const { authority } = this.#context
    if (authority.kind === 'local') {
      const folder = value === undefined ? '' : ((await this.#processText('/cwd', 'cwd', value)) ?? '')
      return resolvePath(baseFolderOf(this.#context, authority), folder)
    }
    if (value !== undefined) {
      this.#report('not_for_session', '/cwd', 'is a folder of the machine that runs the server', 'remove it')
    }
    return undefined
  }

  async #expandVariables(path: string, specField: SpecFieldName, value: string): Promise<Expansion> {
    const expansion = await expandVariables(value, { path, specField }, this.#context)
    this.issues.push(...expansion.issues)
    this.sensitiveValues.push(...expansion.sensitiveValues)
    return expansion
  }

  #refuse(path: string, problem: string, fix: string): void {
    this.#report('value_invalid', path, problem, fix)
  }

  #report(code: string, path: string, message: string, fix: string): void {
    this.issues.push(issueOf(this.#context, path, { code, severity: 'error', message, fix }))
  }
}
