/** A configuration file that was found, and by what. */
export interface FoundConfigFile {
  readonly file: string
  readonly origin: 'flag' | 'environment' | 'env-file' | 'project'
}

/**
 * Finds the configuration file: the flag, then `TOOLBRIDGE_MCP_FILE` in the environment or in `.env`, then
 * `.toolbridge/mcp.json`. Throws a `ConfigError` when a file that somebody named is missing.
 */
export function findConfigFile(_options: {
  readonly flag?: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}): Promise<FoundConfigFile | undefined> {
  return Promise.reject(new Error('not built yet'))
}
