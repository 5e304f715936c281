/**
 * Behaviour in which hosts differ. A dialect presets these policies, and each can be set on its own. Some only describe the
 * host, and setting them changes nothing: `config.roots`, `config.missing`, `vars.syntax`, `vars.fields` and `vars.phase`, which
 * follow the tables of the dialect, and those about start, failure, protocol, elicitation, permissions, secrets and streams, where
 * a bridge uses its own options.
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
  /** Keys that contain servers. Default: `mcpServers`, `servers`. */
  readonly 'config.roots': readonly string[]
  /** Whether an entry must name its transport; `stdio` is assumed if set. Default: `infer`. */
  readonly 'config.transport': 'required' | 'infer' | 'stdio'
  /** How an entry with both a URL and a command is read. Default: `reject`. */
  readonly 'config.both': 'reject' | 'prefer-url' | 'by-type'
  /** Whether a file that is named explicitly may be missing. Default: `error`. */
  readonly 'config.missing': 'error' | 'ok'
  /** Sources of definitions, in order of precedence. Default: flag, context, environment, project, user. */
  readonly 'config.sources': readonly ('flag' | 'context' | 'environment' | 'project' | 'user' | 'code')[]
  /** Syntax of variables. */
  readonly 'vars.syntax': readonly string[]
  /** Fields in which variables are replaced. Default: `all`. */
  readonly 'vars.fields': 'all' | 'none' | readonly string[]
  /** An unset variable: `drop` omits the field, `keep` leaves the reference as text. Default: `empty`. */
  readonly 'vars.unset': 'empty' | 'keep' | 'error' | 'drop'
  /** Whether the default of a variable also replaces an empty value. Default: `empty`. */
  readonly 'vars.default': 'unset' | 'empty'
  /** A file variable that cannot be read: an error, or the reference stays as text. Default: `error`. */
  readonly 'vars.file': 'error' | 'keep'
  /** When the host replaces variables. A bridge always does so at start. Default: `start`. */
  readonly 'vars.phase': 'load' | 'start' | 'both'
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
  /** When servers start. Default: `eager`. */
  readonly start: 'eager' | 'lazy' | 'on-demand'
  /** Whether a running server is stopped before its replacement starts. Default: `start-first`. */
  readonly replace: 'start-first' | 'stop-first'
  /** Whether one server that fails to start stops the others. Default: `continue`. */
  readonly onServerFailure: 'continue' | 'fail'
  /** How a program is stopped. Default: closes stdin, 500 ms until SIGTERM, 2500 ms until SIGKILL. */
  readonly stop: { readonly closeStdin: boolean; readonly graceMs: number; readonly termMs: number }
  /** What happens to stderr of a program. Default: `capture`. */
  readonly stderr: 'inherit' | 'capture' | 'discard'
  /** What happens to lines on stdout that are not JSON-RPC. Default: `count`. */
  readonly 'stdout.badLine': 'drop' | 'count' | 'fail'
  /** Which revisions of a server are accepted. Default: `known`. */
  readonly 'protocol.accept': 'known' | 'any'
  /** The revision to request, or `auto` for the newest that both sides support. Default: `auto`. */
  readonly 'protocol.version': string
  /** Where questions of a server go, in order. Default: route, handler, decline. */
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
  /** Which tools a model sees. Default: `all`. */
  readonly expose: 'all' | 'selected' | 'requested'
  /** How the host decides about calls. Default: `gate`. */
  readonly permissions: 'gate' | 'allowlist' | 'selection' | 'rules'
  /** Where secrets of a local principal come from; those of a session never come from the process. Default: `process`. */
  readonly 'secrets.env': 'process' | 'store' | 'both'
}

/** Policies that apply unless a dialect or a user sets them. */
export const defaultPolicy: Policy = {
  'naming.separator': '__',
  'naming.sanitize': 'identifier',
  'naming.maxLength': 64,
  'naming.onCollision': 'suffix',
  'config.roots': ['mcpServers', 'servers'],
  'config.transport': 'infer',
  'config.both': 'reject',
  'config.missing': 'error',
  'config.sources': ['flag', 'context', 'environment', 'project', 'user'],
  'vars.syntax': ['${env:NAME}', '${env:NAME:-default}', '${workspaceFolder}', '$${'],
  'vars.fields': 'all',
  'vars.unset': 'empty',
  'vars.default': 'empty',
  'vars.file': 'error',
  'vars.phase': 'start',
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
  expose: 'all',
  permissions: 'gate',
  'secrets.env': 'process',
}
