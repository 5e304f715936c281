import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { Module } from 'node:module'
import { basename, dirname, isAbsolute, join } from 'node:path'
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
  // Loading the module takes a millisecond.
  if (Number.parseInt(process.versions.node, 10) < 22) return
  const { enableCompileCache }: CompileCache & typeof Module = process.getBuiltinModule('node:module')
  const folder = userFolder(env)
  // Node would let the group write to it, where that is usual.
  if (folder !== undefined && isCreated(folder)) enableCompileCache?.(join(folder, 'node'))
}

/** The function in a file. It adds its modules to `shared`; `loaded` calls the function of another file first. */
type Part<Exports> = (file: string, shared: object, loaded: (part: string) => object) => Exports

/**
 * Calls the function in a file, and returns its result. Uses the compiled code, which the first run stores: beside the
 * file, where only those who can change the file itself can write, else in a folder of the user's own. `user` names what
 * uses the file: each stores the code of the functions that it runs.
 */
export function requireCached<Exports extends object>(file: string, user: string, env: Environment): Exports {
  const shared = {}
  const parts = new Set<string>()
  const loaded = (part: string): object => {
    if (parts.size < parts.add(part).size)
      compiled<unknown>(join(dirname(file), `${part}.cjs`), `${user}.${part}`, env)(file, shared, loaded)
    return shared
  }
  return compiled<Exports>(file, user, env)(file, shared, loaded)
}

function compiled<Exports>(file: string, user: string, env: Environment): Part<Exports> {
  const source = readFileSync(file)
  const paths = (): Iterable<string> => cachePaths(file, nameOf(source, user), env)
  const cachedData = firstReadable(paths())
  const script = compile(file, source, cachedData)
  // At the exit, because the functions that have run are stored too.
  if (cachedData === undefined || script.cachedDataRejected === true)
    process.once('exit', () => storeFirst(paths(), script.createCachedData()))
  return script.runInThisContext()
}

/** V8 checks its own version and options, but of the source only the length. The bundler ends the file with its hash. */
function nameOf(source: Buffer, user: string): string {
  const hash = source.toString('latin1', source.length - hashLength)
  return `${hash}-${process.version}-${process.arch}-${user}`
}

function* cachePaths(file: string, name: string, env: Environment): Generator<string> {
  yield join(dirname(file), 'code-cache', name)
  const folder = userFolder(env)
  if (folder !== undefined) yield join(folder, 'code-cache', name)
}

function compile(file: string, source: Buffer, cachedData: Buffer | undefined): Script {
  const { Script: CompiledScript } = process.getBuiltinModule('node:vm')
  return new CompiledScript(source.toString('latin1'), {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
}

/**
 * Undefined if other users can write to the folder: V8 runs what it finds there. A relative path would lead into the current
 * folder, which may be of somebody else; the XDG specification ignores it too.
 */
function userFolder(env: Environment): string | undefined {
  const { homedir } = process.getBuiltinModule('node:os')
  const named = env['XDG_CACHE_HOME'] ?? ''
  const folder = join(isAbsolute(named) ? named : join(homedir(), '.cache'), 'toolbridge')
  return isWritableByOthers(folder) ? undefined : folder
}

const folderMode = 0o755

function isCreated(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: folderMode })
    return true
  } catch {
    return false
  }
}

/** A folder that does not exist yet is created by this user. */
function isWritableByOthers(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false })
  const user = process.getuid?.()
  if (found === undefined || user === undefined) return false
  return (found.uid !== user && found.uid !== 0) || (found.mode & 0o022) !== 0
}

function firstReadable(paths: Iterable<string>): Buffer | undefined {
  for (const path of paths)
    try {
      return readFileSync(path)
    } catch {
      // Not stored there.
    }
  return undefined
}

/** Stores it at the first path that can be written, or nowhere. */
function storeFirst(paths: Iterable<string>, data: Buffer): void {
  for (const path of paths) if (isStored(path, data)) return removeOld(path)
}

/** Whether the data could be stored. Atomic: another process may be reading. */
function isStored(path: string, data: Buffer): boolean {
  const fresh = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: folderMode })
    writeFileSync(fresh, data)
    renameSync(fresh, path)
    return true
  } catch {
    removeQuietly(fresh)
    return false
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // Not writable, another process removed it, or it is being read on Windows.
  }
}

/** Younger files may be in use, or being written, by another version that this user runs too. */
const minAgeMs = 86_400_000

/**
 * Removes code that other versions of Toolbridge or Node stored beside a file. At worst another process has to store its
 * code again.
 */
function removeOld(path: string): void {
  const folder = dirname(path)
  const own = versionOf(basename(path))
  for (const name of namesIn(folder).filter((each) => stored.test(each) && !each.startsWith(own)))
    if (isOld(join(folder, name))) removeQuietly(join(folder, name))
}

/** Empty for a folder that can be written but not read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isOld(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > minAgeMs
}

/** `<hash>-<version of Node>-<architecture>-<user>`, also unfinished. */
const stored = /^[0-9a-f]{32}-v\d/

function versionOf(name: string): string {
  return name.slice(0, name.lastIndexOf('-') + 1)
}
