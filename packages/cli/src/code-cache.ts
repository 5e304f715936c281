import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { dirname, join } from 'node:path'
import type { Script } from 'node:vm'

// Modules that `--version` does not need are loaded on use.
const hashLength = 32

type Environment = Readonly<Record<string, string | undefined>>

/** Since Node 22.1. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown
}

/**
 * Lets Node keep the compiled code of the modules that are loaded from now on. In a folder of the user's own: in a
 * shared temporary folder, Node's default, another user could put code there for this process to run.
 */
export function enableCodeCache(env: Environment): void {
  const { enableCompileCache }: CompileCache & typeof Module = Module
  enableCompileCache?.(join(userFolder(env), 'node'))
}

/**
 * Loads a CommonJS module, written as a function, with its compiled code, which the first run stores: beside the file, where only those who can
 * change the file itself can write, else in a folder of the user's own.
 */
export function requireCached<Exports extends object>(file: string, env: Environment): Exports {
  const source = readFileSync(file)
  const paths = cachePaths(file, source, env)
  const cachedData = firstReadable(paths)
  const script = compile(file, source, cachedData)
  // At the exit, because the functions that have run are stored too.
  if (cachedData === undefined || script.cachedDataRejected === true)
    process.once('exit', () => storeFirst(paths, script.createCachedData()))
  return evaluate(script, file)
}

/** V8 checks its own version and options, but of the source only the length. The bundler ends the file with its hash. */
function cachePaths(file: string, source: Buffer, env: Environment): readonly string[] {
  const hash = source.toString('latin1', source.length - hashLength)
  const name = `${hash}-${process.version}-${process.arch}`
  return [dirname(file), userFolder(env)].map((folder) => join(folder, 'code-cache', name))
}

function compile(file: string, source: Buffer, cachedData: Buffer | undefined): Script {
  const { constants, Script: CompiledScript } = process.getBuiltinModule('node:vm')
  return new CompiledScript(source.toString('latin1'), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
}

function evaluate<Exports extends object>(script: Script, file: string): Exports {
  const require = createRequire(file)
  const loaded = new Module(file)
  // Modules that are loaded later import this one.
  require.cache[file] = loaded
  script.runInThisContext()(loaded.exports, require, loaded, file, dirname(file))
  return loaded.exports
}

function userFolder(env: Environment): string {
  const { homedir } = process.getBuiltinModule('node:os')
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'toolbridge')
}

function firstReadable(paths: readonly string[]): Buffer | undefined {
  for (const path of paths)
    try {
      return readFileSync(path)
    } catch {
      // Not stored there.
    }
  return undefined
}

/** Stores it at the first path that can be written, or nowhere. Atomic: another process may be reading. */
function storeFirst(paths: readonly string[], data: Buffer): void {
  for (const path of paths)
    try {
      const fresh = `${path}.${process.pid}`
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(fresh, data)
      renameSync(fresh, path)
      return
    } catch {
      // Not writable.
    }
}
