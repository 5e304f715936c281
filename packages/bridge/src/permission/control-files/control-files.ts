import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { abortable } from '@toolbridge/client/internal'
import { controlPathHint, controlPathTest, controlPaths } from './control-paths.ts'
import { isPathLike, isPlain, pathPrefilter, toolbridgeFolder } from './path-like.ts'
import { folded, foldedPath } from '../readings/folding.ts'
import { isRooted, normalizedPath } from '../readings/paths.ts'
import { Readings } from '../readings/readings.ts'
import { asAddress } from '../readings/spellings.ts'
import { finishedInTurns, Pace, type Steps } from '../readings/steps.ts'
import { type Leaf, leavesOf, openedJson } from '../rules/values.ts'

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
    if (typeof args === 'string')
      return this.#quickLook(args) && (args.length > longText || this.#isSuspicious(args, machine))
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
    return this.#hint.test(asAddress(isPlain(text) ? text : folded(text)))
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
    const { named, others } = await finishedInTurns(this.#look(args, machine), signal)
    if (named !== undefined || machine === undefined) return named
    const known = await abortable(this.#realFiles(machine), signal)
    for (const [text, paths] of others) {
      for (const path of paths) {
        const real = await abortable(realPath(path), signal)
        if (this.#isControlPath(real) || isAmong(known, real) || this.#isInUse(path, real)) return text
      }
    }
    return undefined
  }

  /** Looks for the path of a control file, and for the paths that may lead to one. */
  *#look(args: unknown, machine: Machine | undefined): Steps<Looked> {
    const pace = new Pace()
    const others = new Map<string, readonly string[]>()
    const leaves = yield* leavesOf([args], { names: true, open: openedListOrText })
    for (const text of new Set(leaves.flatMap(textsIn))) {
      if (pace.isOver) yield
      if (!this.#quickLook(text) && machine === undefined) continue
      const readings = new Readings(text)
      if (text.length > longText) yield* readings.compute()
      const paths = pathsOn(machine, readings)
      if (readings.isDoubtful || paths.some((path) => this.#isControlPath(path)))
        return { named: text, others }
      if (machine !== undefined && isPathLike(text)) others.set(text, pathsToFollow(readings, machine))
    }
    return { named: undefined, others }
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

/** Looking at a text of this length takes a turn of its own. */
const longText = 32_768
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

interface Looked {
  /** The text that names a control file. */
  readonly named: string | undefined
  /** The paths that other texts can be, for following their links. */
  readonly others: ReadonlyMap<string, readonly string[]>
}

/** JSON lists and texts in strings are parsed, as some servers do; a JSON object is mostly the content of a file. */
function openedListOrText(text: string): unknown {
  return /^\s*[["]/.test(text) ? openedJson(text) : undefined
}

/** Arguments that hold command lines or code, whose words may be paths. */
const commandKeys = /^(?:cmd|command|commands|script|code|shell|bash|args|argv|arguments|input|expression)$/i

function textsIn({ key, value }: Leaf): readonly string[] {
  if (typeof value !== 'string') return []
  if (!commandKeys.test(folded(key))) return [value]
  return [value, ...value.split(/[\s'"`;|&<>()=,]+/)]
}

/** The paths of a text, folded: on a machine those from its root. */
function pathsOn(machine: Machine | undefined, readings: Readings): readonly string[] {
  if (machine === undefined) return readings.pathsIn({ home: '~', folders: [] })
  return readings.pathsIn(machine).filter(isRooted)
}

/** The paths to look up on this machine. Behind a link, `..` leads elsewhere than in the resolved path. */
function pathsToFollow(readings: Readings, { home, folders }: Machine): readonly string[] {
  const paths = readings.openable.flatMap((path) => {
    if (/^~(?=\/|$)/.test(path)) return [`${home}${path.slice(1)}`]
    return isRooted(path) ? [path] : folders.map((folder) => `${folder}/${path}`)
  })
  return [...new Set(paths)]
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
