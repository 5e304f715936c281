/**
 * Facts about a host that are part of its format, or that a bridge cannot reproduce from the file. They are shown by
 * `explainConfig` and cannot be set.
 */
export interface HostFacts {
  /** Keys that contain servers. */
  readonly 'config.roots': readonly string[]
  /** Whether the host starts without its configuration file. */
  readonly 'config.missing': 'error' | 'ok'
  /** Syntax of variables. */
  readonly 'vars.syntax': readonly string[]
  /** Fields in which the host replaces variables. */
  readonly 'vars.fields': 'all' | 'none' | readonly string[]
  /** When the host replaces variables. A bridge always does so at start. */
  readonly 'vars.phase': 'load' | 'start' | 'both'
  /** Which tools the host shows to a model: all, those selected by the user, or those requested by a workflow. */
  readonly expose: 'all' | 'selected' | 'requested'
  /** How the host decides about calls. A bridge decides by its permission rules and the definition. */
  readonly permissions: 'gate' | 'allowlist' | 'selection' | 'rules'
}

/** The facts about Toolbridge's own format, and those of hosts that do not differ. */
export const defaultFacts: HostFacts = {
  'config.roots': ['mcpServers', 'servers'],
  'config.missing': 'error',
  'vars.syntax': ['${env:NAME}', '${env:NAME:-default}', '${workspaceFolder}', '$${'],
  'vars.fields': 'all',
  'vars.phase': 'start',
  expose: 'all',
  permissions: 'gate',
}
