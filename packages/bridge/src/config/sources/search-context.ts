import { readdir, realpath, stat, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from '../../errors.ts'
import type { Platform } from '../dialects/dialect.ts'
import { parseEnvFile } from '../documents/env-file.ts'
import { readRegularFile } from '../documents/read-regular-file.ts'
import { isMissing, unreadableFile } from '../read/read-config-text.ts'
import type { EnvFileVariable, SearchContext } from './candidates.ts'

// Not `node:fs/promises`, which takes milliseconds to load.
const statOf = promisify(stat)
const realPathOf = promisify(realpath.native)
export const namesIn: (folder: string) => Promise<readonly string[]> = (folder) => promisify(readdir)(folder)

/** Options of every search for configuration files. */
export interface SearchOptions {
  /** Path given by `--mcp`. Default: none. */
  readonly flag?: string
  /** Name of the dialect of a file that is named. Default: its field `dialect`, else recognized by path and shape. */
  readonly dialect?: string
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Working folder. */
  readonly cwd: string
  /** Home folder of the user. Default: `HOME` or `USERPROFILE` of `env`, else that of this process. */
  readonly home?: string
  /** Platform whose locations are searched. Default: the current one. */
  readonly platform?: Platform
  /** Aborts the search. */
  readonly signal?: AbortSignal
}

/** Throws a `ConfigError` for a `.env` that cannot be read: it may name another configuration than the default. */
export async function searchContextOf(
  { env, cwd, home = homeOf(env), platform }: SearchOptions,
  readEnv: (folders: readonly string[]) => Promise<SearchContext['envFile']> = readEnvFiles,
): Promise<SearchContext> {
  const folders = await namingHome(await foldersFrom(resolve(cwd)), home)
  return {
    env,
    home,
    platform: platform ?? platformOf(process.platform),
    envFile: await readEnv(folders),
    folders,
  }
}

/** The home folder of the user. A relative path is ignored: it would lead into the project. */
export function homeOf(env: SearchOptions['env']): string {
  const named = [env['HOME'], env['USERPROFILE']].find((path) => path !== undefined && isAbsolute(path))
  return named ?? homedir()
}

/** Other platforms use the locations of Linux. */
export function platformOf(name: string): Platform {
  return name === 'darwin' || name === 'win32' ? name : 'linux'
}

/** The folder and its parents up to the root of the repository; only the folder outside of a repository. */
async function foldersFrom(cwd: string): Promise<readonly [string, ...string[]]> {
  const around: string[] = []
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (folder !== cwd) around.push(folder)
    if (await exists(join(folder, '.git'))) return [cwd, ...around]
    if (dirname(folder) === folder) return [cwd]
  }
}

/** Writes the home folder as `home` does, also where a link leads to it, so that files in it are recognized. */
async function namingHome(
  [cwd, ...around]: readonly [string, ...string[]],
  home: string,
): Promise<readonly [string, ...string[]]> {
  const real = await realPath(home)
  const named = async (folder: string): Promise<string> =>
    (await realPath(folder)) === real ? resolve(home) : folder
  return [await named(cwd), ...(await Promise.all(around.map(named)))]
}

async function realPath(path: string): Promise<string> {
  return realPathOf(path).catch(() => resolve(path))
}

/** Variables of the `.env` files of these folders. Those of the first file win. */
export async function readEnvFiles(folders: readonly string[]): Promise<SearchContext['envFile']> {
  const texts = await Promise.all(folders.map((folder) => readEnvFile(join(folder, '.env'))))
  const variables = folders.flatMap((folder, index) =>
    [...parseEnvFile(texts[index] ?? '')].map(([name, value]): [string, EnvFileVariable] => [
      name,
      { value, folder },
    ]),
  )
  return new Map(variables.toReversed())
}

/** Folders and pipes named `.env` are not files of variables. */
async function readEnvFile(file: string): Promise<string> {
  if (!isFile(file)) return ''
  try {
    return String(await readRegularFile(file))
  } catch (error) {
    if (isMissing(error)) return ''
    throw ConfigError.of([unreadableFile(file, error)])
  }
}

/** Reports whether a path leads to a regular file. */
export function isFile(path: string): boolean {
  try {
    // Synchronous, as the reading of the file.
    return statSync(path).isFile()
  } catch {
    return false
  }
}

async function exists(path: string): Promise<boolean> {
  return statOf(path).then(
    () => true,
    () => false,
  )
}
