import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { abortable } from '@toolbridge/client/internal'
import { controlPathHint, controlPathTest, controlPaths } from './control-paths.ts'
import { isPathLike, isPlain, pathPrefilter, toolbridgeFolder } from './path-like.ts'
import { decoded, folded, foldedPath, isRooted, normalizedPath, pathsOf } from '../rules/path-text.ts'
import { type Leaf, leavesOf } from '../rules/values.ts'

/** The local machine, for servers that run on it. */
export interface Machine {
  readonly home: string
  /** Absolute folders that relative paths may be relative to. */
  readonly folders: readonly string[]
}

/**
 * Finds calls that name a control file: a configuration of Toolbridge or of a host it reads, which decides which programs
 * start and what they may do. A tool that can write one can start any program.
 */
export class ControlFiles {
  readonly #more: readonly string[]
  /** Compiled on first use, because a bridge that only lists tools needs neither. */
  #pathTest: ((path: string) => boolean) | undefined
  #hint: RegExp | undefined
  readonly #quickLook: (text: string) => boolean
  /** Argument names without a match. Most calls repeat the names of the call before. */
  readonly #plainNames = new Set<string>()
  #latestPlainName: string | undefined
  readonly #inUse: () => readonly string[]
  readonly #folders: readonly string[]
  readonly #behindLinks = new Map<string, Promise<RealPaths>>()

  /** `more`: further files, with `*`. `inUse`: the files of the current definitions. */
  constructor(more: readonly string[], inUse: () => readonly string[]) {
    this.#more = more
    this.#quickLook = pathPrefilter(more)
    this.#folders = more.flatMap((glob) => /^([^*]+)\/\*+$/.exec(glob)?.[1] ?? [])
    this.#inUse = inUse
  }

  /** A quick test for `namedBy`: may return true without a match, never false with one. */
  mayBeNamed(args: unknown, machine: Machine | undefined, depth = 0): boolean {
    if (typeof args === 'string') return this.#quickLook(args) && this.#isSuspicious(args, machine)
    if (typeof args !== 'object' || args === null) return false
    if (depth > maxDepth || 'toJSON' in args) return true
    for (const key in args) {
      const value = (args as Record<string, unknown>)[key]
      if (this.mayBeNamed(value, machine, depth + 1)) return true
      if (!this.#isPlainName(key) && this.mayBeNamed(key, machine)) return true
    }
    return false
  }

  #isPlainName(name: string): boolean {
    if (name === this.#latestPlainName) return true
    if (!this.#plainNames.has(name)) {
      if (this.#quickLook(name)) return false
      if (this.#plainNames.size >= maxNames) this.#plainNames.clear()
      this.#plainNames.add(name)
    }
    this.#latestPlainName = name
    return true
  }

  #isSuspicious(text: string, machine: Machine | undefined): boolean {
    if (machine !== undefined && isPathLike(text)) return true
    this.#hint ??= controlPathHint(this.#more)
    return this.#hint.test(isPlain(text) ? text : folded(text))
  }

  #isControlPath(path: string): boolean {
    this.#pathTest ??= controlPathTest(this.#more)
    return this.#pathTest(path)
  }

  /** Resolves with the text in the arguments that names a control file, if any. */
  async namedBy(
    args: unknown,
    machine: Machine | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const texts = leavesOf(args, { names: true, opens: jsonList }).flatMap(textsIn)
    const plain = texts.find((text) => readings(text, machine).some((path) => this.#isControlPath(path)))
    if (plain !== undefined || machine === undefined) return plain
    const known = await abortable(this.#realFiles(machine), signal)
    for (const text of texts.filter(isPathLike)) {
      for (const path of pathsToFollow(text, machine)) {
        const real = await abortable(realPath(path), signal)
        if (this.#isControlPath(real) || isAmong(known, real) || this.#isInUse(path, real)) return text
      }
    }
    return undefined
  }

  #isInUse(path: string, real: string): boolean {
    const paths = [foldedPath(path), foldedPath(real)]
    return this.#inUse().some((file) => paths.includes(foldedPath(normalizedPath(resolve(file)))))
  }

  /** The targets of control files that are links. */
  #realFiles({ home, folders }: Machine): Promise<RealPaths> {
    const around = [home, ...folders]
    const key = JSON.stringify(around)
    const known = this.#behindLinks.get(key) ?? realControlPaths(around, this.#folders)
    this.#behindLinks.set(key, known)
    return known
  }
}

const maxDepth = 64
const maxNames = 1_000

/** Real paths of control files, and of folders that contain only control files. */
interface RealPaths {
  readonly files: readonly string[]
  readonly folders: readonly string[]
}

async function realControlPaths(around: readonly string[], more: readonly string[]): Promise<RealPaths> {
  const files = around.flatMap((folder) => controlPaths.map((place) => join(folder, place)))
  const folders = [...around.map((folder) => join(folder, toolbridgeFolder)), ...more]
  return { files: await realOf(files), folders: await realOf(folders) }
}

async function realOf(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))
  return found.filter((path) => path !== undefined).map(foldedPath)
}

function isAmong({ files, folders }: RealPaths, real: string): boolean {
  const path = foldedPath(real)
  return files.includes(path) || folders.some((folder) => `${path}/`.startsWith(`${folder}/`))
}

/** JSON lists in strings are parsed, as some servers do; a JSON object is mostly the content of a file. */
const jsonList = /^\s*\[/

/** Arguments that hold command lines or code, whose words may be paths. */
const commandKeys = /^(?:cmd|command|commands|script|code|shell|bash|args|argv|arguments|input|expression)$/i

function textsIn({ key, value }: Leaf): readonly string[] {
  if (typeof value !== 'string') return []
  if (!commandKeys.test(key)) return [value]
  return [value, ...value.split(/[\s'"`;|&<>()=,]+/)]
}

/** PATH_MAX of Linux. */
const maxPathLength = 4_096

/** The paths to look up on this machine. */
function pathsToFollow(text: string, machine: Machine): readonly string[] {
  const paths = [...readings(text, machine), ...detours(text, machine)]
  return paths.filter((path) => path.length <= maxPathLength)
}

/** The paths that a text may denote. */
function readings(text: string, machine: Machine | undefined): readonly string[] {
  const texts = text.includes('%') ? [text, decoded(text)] : [text]
  return texts.flatMap(pathsOf).flatMap((path) => possiblePaths(path, machine))
}

function possiblePaths(path: string, machine: Machine | undefined): readonly string[] {
  if (machine === undefined) return [path]
  if (path.startsWith('~/')) return [normalizedPath(`${machine.home}${path.slice(1)}`)]
  if (isRooted(path)) return [path]
  return machine.folders.map((folder) => normalizedPath(`${folder}/${path}`))
}

/** The path with its `..` steps: behind a link they lead elsewhere than the normalized path. */
function detours(text: string, { home, folders }: Machine): readonly string[] {
  if (!text.includes('..')) return []
  if (text.startsWith('~/')) return [`${home}${text.slice(1)}`]
  return isAbsolute(text) ? [text] : folders.map((folder) => `${folder}/${text}`)
}

/** ELOOP limit of Linux. */
const maxLinks = 40

/** Resolves all links of a path, also if its target does not exist yet: a write would create it. */
async function realPath(path: string, links = 0): Promise<string> {
  const absolute = isAbsolute(path) ? path : resolve(path)
  const real = await realpath(absolute).catch(() => undefined)
  const parent = dirname(absolute)
  if (real !== undefined || parent === absolute) return real ?? absolute
  const target = links < maxLinks ? await readlink(absolute).catch(() => undefined) : undefined
  if (target !== undefined) return realPath(isAbsolute(target) ? target : `${parent}/${target}`, links + 1)
  return join(await realPath(parent, links), basename(absolute))
}
