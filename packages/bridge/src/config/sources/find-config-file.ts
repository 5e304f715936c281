import { readRegularFile } from '../documents/read-regular-file.ts'
import { stat } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from '../../errors.ts'
import { parseEnvFile } from '../documents/env-file.ts'
import { unreadableFile } from '../read/read-config-text.ts'
import { missingFile } from './discover-configs.ts'

/** A configuration file that was found. */
export interface FoundConfigFile {
  /** Absolute path. */
  readonly file: string
  /** What named the file; `project` if it was found at its default location. */
  readonly foundBy: 'flag' | 'environment' | 'env-file' | 'project'
}

/** Options of `findConfigFile`. */
export interface FindConfigFileOptions {
  /** Path given by `--mcp`. Default: none. */
  readonly flag?: string
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Working folder. */
  readonly cwd: string
}

/**
 * Finds the configuration file: the flag, then `TOOLBRIDGE_MCP_FILE` in the environment or in `.env`, then
 * `.toolbridge/mcp.json`. Throws a `ConfigError` if a file that is named explicitly is missing.
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

/** Throws a `ConfigError` for a file that cannot be read: it may name another configuration than the default. */
async function readIfExists(file: string): Promise<string> {
  if (!(await isFile(file))) return ''
  try {
    return String(await readRegularFile(file))
  } catch (error) {
    throw ConfigError.of([unreadableFile(file, error)])
  }
}

async function isFile(path: string): Promise<boolean> {
  return promisify(stat)(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

const namedBy: Readonly<Record<NamedBy, string>> = {
  flag: '--mcp',
  environment: `${variable} in the environment`,
  'env-file': `${variable} in .env`,
}
