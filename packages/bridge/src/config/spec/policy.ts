/**
 * Behaviour in which hosts differ. A dialect presets these policies; `policy` of a bridge overrides the preset, and `policy` of a
 * server definition overrides both. The `config.*` policies apply before a bridge has the definitions, so they are options of
 * `readConfig` and `mergeConfigs`.
 */
export interface Policy {
  /** Separator between server and tool in a public name. Default: `__`. */
  readonly 'naming.separator': '-' | '_' | '.' | '__' | 'none'
  /** `kebab`: the whole name. `identifier`: both parts. `namespace-only`: the server's part. Default: `identifier`. */
  readonly 'naming.sanitize': 'kebab' | 'identifier' | 'namespace-only' | 'none'
  /** Longer names are cut and end in a hash; `Infinity` for no limit. Default: 64. */
  readonly 'naming.maxLength': number
  /** What happens if two tools get the same public name. Default: `suffix`. */
  readonly 'naming.onCollision': 'error' | 'suffix' | 'first-wins'
  /** Whether an entry must name its transport; `stdio` is assumed if set. Default: `infer`. */
  readonly 'config.transport': 'required' | 'infer' | 'stdio'
  /** How an entry with both a URL and a command is read. Default: `reject`. */
  readonly 'config.both': 'reject' | 'prefer-url' | 'by-type'
  /** Sources of definitions, in order of precedence. Default: flag, context, environment, project, user. */
  readonly 'config.sources': readonly ('flag' | 'context' | 'environment' | 'project' | 'user' | 'code')[]
  /** An unset variable: `drop` omits the field, `keep` leaves the reference as text. Default: `empty`. */
  readonly 'vars.unset': 'empty' | 'keep' | 'error' | 'drop'
  /** Whether the default of a variable also replaces an empty value. Default: `empty`. */
  readonly 'vars.default': 'unset' | 'empty'
  /** A file variable that cannot be read: an error, or the reference stays as text. Default: `error`. */
  readonly 'vars.file': 'error' | 'keep'
  /** Folders such as `.vscode` whose parent is the workspace of the files in them. Default: none. */
  readonly 'vars.workspace': readonly string[]
  /** Whether path variables use forward slashes on Windows too. Default: `native`. */
  readonly 'vars.paths': 'native' | 'slashes'
  /** Base of a relative `cwd` and `envFile`; `${file:…}` is relative to its configuration file. Default: `workspace`. */
  readonly 'paths.base': 'workspace' | 'config-folder'
  /** Which environment variables a program inherits. Default: `safe`. */
  readonly 'env.inherit': 'safe' | 'all' | 'none'
  /** Whether `PATH` of the entry replaces the inherited one or is appended to it. Default: `replace`. */
  readonly 'env.path': 'replace' | 'append'
  /** `eager`: with the bridge. `lazy`: when first needed. `on-demand`: only by `Bridge.retry` or `restart`. Default: `eager`. */
  readonly start: 'eager' | 'lazy' | 'on-demand'
  /** Whether a running server is stopped before its replacement starts. Default: `start-first`. */
  readonly replace: 'start-first' | 'stop-first'
  /** `fail`: the bridge does not open if the server fails to start, as for a `required` server. Default: `continue`. */
  readonly onServerFailure: 'continue' | 'fail'
  /** How a program is stopped. Default: closes stdin, 500 ms until SIGTERM, 2500 ms until SIGKILL. */
  readonly stop: { readonly closeStdin: boolean; readonly graceMs: number; readonly termMs: number }
  /**
   * Stderr of a program. `capture` keeps the last lines for errors and `status`; `inherit` also prints them after the name of the
   * server, except under session authority. Default: `capture`.
   */
  readonly stderr: 'inherit' | 'capture' | 'discard'
  /** Lines on stdout that are not JSON: ignored, reported once and counted, or the end of the connection. Default: `count`. */
  readonly 'stdout.badLine': 'drop' | 'count' | 'fail'
  /** Whether `initialize` may end with a revision that this client does not know. Default: `known`. */
  readonly 'protocol.accept': 'known' | 'any'
  /** The revision to request, or `auto` for the newest that both sides support. Default: `auto`. */
  readonly 'protocol.version': string
  /**
   * Who answers elicitations, in order: the answerer of the call (`route`), that of the bridge (`handler`), nobody (`decline`). With
   * `off` before any of these is available, the capability is not declared. Default: route, handler, decline.
   */
  readonly elicitation: readonly ('route' | 'handler' | 'decline' | 'off')[]
  /** How text parts of a result are joined. Default: `newline`. */
  readonly 'result.text': 'newline' | 'concat'
  /** How unknown parts of a result are shown. Default: `json`. */
  readonly 'result.unknown': 'json' | 'drop'
  /** How images and audio of a result are shown. Default: `parts`. */
  readonly 'result.media': 'parts' | 'json' | 'placeholder'
  /** When structured content is used. Default: `fallback`. */
  readonly 'result.structured': 'fallback' | 'always' | 'validate'
  /** Whether a protocol error is thrown or returned as a result. Default: `throw`. */
  readonly 'result.protocolError': 'throw' | 'result'
  /**
   * Where `${env:NAME}` is looked up under local authority: the environment, `inputs` of the bridge as the secret of that name, or
   * first one, then the other. A session never uses the environment. Default: `process`.
   */
  readonly 'secrets.env': 'process' | 'store' | 'both'
}

/** Policies that apply unless a dialect or a user sets them. */
export const defaultPolicy: Policy = {
  'naming.separator': '__',
  'naming.sanitize': 'identifier',
  'naming.maxLength': 64,
  'naming.onCollision': 'suffix',
  'config.transport': 'infer',
  'config.both': 'reject',
  'config.sources': ['flag', 'context', 'environment', 'project', 'user'],
  'vars.unset': 'empty',
  'vars.default': 'empty',
  'vars.file': 'error',
  'vars.workspace': [],
  'vars.paths': 'native',
  'paths.base': 'workspace',
  'env.inherit': 'safe',
  'env.path': 'replace',
  start: 'eager',
  replace: 'start-first',
  onServerFailure: 'continue',
  stop: { closeStdin: true, graceMs: 500, termMs: 2500 },
  stderr: 'capture',
  'stdout.badLine': 'count',
  'protocol.accept': 'known',
  'protocol.version': 'auto',
  elicitation: ['route', 'handler', 'decline'],
  'result.text': 'newline',
  'result.unknown': 'json',
  'result.media': 'parts',
  'result.structured': 'fallback',
  'result.protocolError': 'throw',
  'secrets.env': 'process',
}

/** Policies of a server definition: those of its dialect and its own. */
export interface SpecPolicies {
  readonly preset?: Partial<Policy> | undefined
  readonly policy?: Partial<Policy> | undefined
}

/** The policies that a definition, a bridge or a dialect sets, in this order of precedence. */
export function setPolicies(
  { preset, policy }: SpecPolicies,
  ofBridge: Partial<Policy> = {},
): Partial<Policy> {
  return { ...preset, ...ofBridge, ...policy }
}

/** The value of one policy for a server. */
export function policyOf<K extends keyof Policy>(
  key: K,
  { preset, policy }: SpecPolicies,
  ofBridge: Partial<Policy> = {},
): Policy[K] {
  return policy?.[key] ?? ofBridge[key] ?? preset?.[key] ?? defaultPolicy[key]
}
