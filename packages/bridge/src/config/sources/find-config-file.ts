import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { parseEnvFile } from '../documents/env-file.ts'
import { missingFile } from './discover-configs.ts'

/** A configuration file that was found, and by what. */
export interface FoundConfigFile {
  /** Absolute path. */
  readonly file: string
  readonly foundBy: 'flag' | 'environment' | 'env-file' | 'project'
}

export interface FindConfigFileOptions {
  /** What `--mcp` says. */
  readonly flag?: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

/**
 * Finds the configuration file: the flag, then `TOOLBRIDGE_MCP_FILE` in the environment or in `.env`, then
 * `.toolbridge/mcp.json`. Throws a `ConfigError` when a file that somebody named is missing.
 */
export async function findConfigFile(options: FindConfigFileOptions): Promise<FoundConfigFile | undefined> {
  const named = await findNamed(options)
  if (named !== undefined) {
    const file = resolve(options.cwd, named.path)
    if (await isFile(file)) return { file, foundBy: named.foundBy }
    throw ConfigError.of([missingFile(file, namedBy[named.foundBy])])
  }
  const file = resolve(options.cwd, '.toolbridge', 'mcp.json')
  return (await isFile(file)) ? { file, foundBy: 'project' } : undefined
}

const variable = 'TOOLBRIDGE_MCP_FILE'

type NamedBy = Exclude<FoundConfigFile['foundBy'], 'project'>

async function findNamed(
  options: FindConfigFileOptions,
): Promise<{ readonly path: string; readonly foundBy: NamedBy } | undefined> {
  if (options.flag !== undefined) return { path: options.flag, foundBy: 'flag' }
  const fromEnvironment = options.env[variable]
  if (fromEnvironment) return { path: fromEnvironment, foundBy: 'environment' }
  const fromFile = parseEnvFile(await readIfExists(join(options.cwd, '.env'))).get(variable)
  return fromFile ? { path: fromFile, foundBy: 'env-file' } : undefined
}

async function readIfExists(file: string): Promise<string> {
  return (await isFile(file)) ? readFile(file, 'utf8') : ''
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

const namedBy: Readonly<Record<NamedBy, string>> = {
  flag: '--mcp',
  environment: `${variable} in the environment`,
  'env-file': `${variable} in .env`,
}
