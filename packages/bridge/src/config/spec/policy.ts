/**
 * Where hosts disagree, one engine with named choices. Each can be set by itself; a dialect is a reader and a preset of
 * these. Those about starting, failing, protocol, questions, permission and streams tell what a host does: a bridge goes by
 * its own options there.
 */
export interface Policy {
  /** What stands between server and tool in a public name. */
  readonly 'naming.separator': '-' | '_' | '.' | '__' | 'none'
  /** `kebab`: the whole name. `identifier`: both parts. `namespace-only`: the server's part. */
  readonly 'naming.sanitize': 'kebab' | 'identifier' | 'namespace-only' | 'none'
  /** A longer name is cut and ends in a hash; `Infinity` for no limit. */
  readonly 'naming.maxLength': number
  readonly 'naming.onCollision': 'error' | 'suffix' | 'first-wins'
  /** Keys under which servers are looked for. */
  readonly 'config.roots': readonly string[]
  /** Whether an entry must name its transport; `stdio`: what is meant when it does not. */
  readonly 'config.transport': 'required' | 'infer' | 'stdio'
  /** What an entry with both an address and a command means. */
  readonly 'config.both': 'reject' | 'prefer-url' | 'by-type'
  /** Whether a file that somebody named may be missing. */
  readonly 'config.missing': 'error' | 'ok'
  /** Where definitions come from, first wins. */
  readonly 'config.sources': readonly ('flag' | 'context' | 'environment' | 'project' | 'user' | 'code')[]
  /** The way variables are written. */
  readonly 'vars.syntax': readonly string[]
  /** The fields whose text may hold variables. */
  readonly 'vars.fields': 'all' | 'none' | readonly string[]
  /** `drop` leaves the field out as if it were not there; `keep` leaves the reference as it was written. */
  readonly 'vars.unset': 'empty' | 'keep' | 'error' | 'drop'
  /** What becomes of a reference to a file that cannot be read. */
  readonly 'vars.file': 'error' | 'keep'
  /** When a host replaces variables; here it is always at the start, so that no secret stays in a parsed file. */
  readonly 'vars.phase': 'load' | 'start' | 'both'
  /** Folders such as `.vscode`: a file in one of them takes the folder around it for the workspace. */
  readonly 'vars.workspace': readonly string[]
  /** Whether variables that are paths have slashes also where the platform has backslashes. */
  readonly 'vars.paths': 'native' | 'slashes'
  /** What a working directory and a file of variables are relative to; `${file:…}` starts from the file it stands in. */
  readonly 'paths.base': 'workspace' | 'config-folder'
  readonly 'env.inherit': 'safe' | 'all' | 'none'
  /** What a `PATH` of the entry does to the one that is inherited. */
  readonly 'env.path': 'replace' | 'append'
  readonly start: 'eager' | 'lazy' | 'on-demand'
  readonly onServerFailure: 'continue' | 'fail'
  readonly stop: { readonly closeStdin: boolean; readonly graceMs: number; readonly termMs: number }
  readonly stderr: 'inherit' | 'capture' | 'discard'
  readonly 'stdout.badLine': 'drop' | 'count' | 'fail'
  readonly 'protocol.accept': 'known' | 'any'
  /** A revision, or `auto` for the newest that both sides speak. */
  readonly 'protocol.offer': string
  /** Who is tried in turn when a server asks. */
  readonly elicitation: readonly ('route' | 'handler' | 'decline' | 'off')[]
  readonly 'result.text': 'newline' | 'concat'
  readonly 'result.unknown': 'json' | 'drop'
  readonly 'result.media': 'parts' | 'json' | 'placeholder'
  readonly 'result.structured': 'fallback' | 'always' | 'validate'
  readonly 'result.protocolError': 'throw' | 'result'
  readonly expose: 'all' | 'selected' | 'requested'
  readonly permissions: 'gate' | 'allowlist' | 'selection' | 'rules'
  /** Where the secrets of a local principal come from; a session's never come from the process. */
  readonly 'secrets.env': 'process' | 'store' | 'both'
}

/** What holds unless a dialect or a person says otherwise. */
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
  'vars.file': 'error',
  'vars.phase': 'start',
  'vars.workspace': [],
  'vars.paths': 'native',
  'paths.base': 'workspace',
  'env.inherit': 'safe',
  'env.path': 'replace',
  start: 'eager',
  onServerFailure: 'continue',
  stop: { closeStdin: true, graceMs: 500, termMs: 2500 },
  stderr: 'capture',
  'stdout.badLine': 'count',
  'protocol.accept': 'known',
  'protocol.offer': 'auto',
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
