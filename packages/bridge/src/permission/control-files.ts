import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { abortable } from '../abortable.ts'
import { controlHint, controlPathTest, controlPlaces, quickHint } from './control-places.ts'
import { decoded, foldedPath, isRooted, normalisedPath, pathsOf } from './path-text.ts'
import { type Leaf, leavesOf } from './values.ts'

/** The machine that a server runs on, as far as it is this one and may be looked at. */
export interface Machine {
  readonly home: string
  /** What relative paths may be relative to: absolute. */
  readonly folders: readonly string[]
}

/**
 * Tells calls that name a file which decides what is started or allowed: Toolbridge's own and those of every host that it
 * reads. Whoever can write one can have any program started.
 */
export class ControlFiles {
  readonly #isControlPath: (path: string) => boolean
  readonly #hint: RegExp
  readonly #quickHint: RegExp
  readonly #inUse: () => readonly string[]
  readonly #behindLinks = new Map<string, Promise<ReadonlySet<string>>>()

  /** `more`: further files, with `*`. `inUse`: the files that the definitions came from. */
  constructor(more: readonly string[], inUse: () => readonly string[]) {
    this.#isControlPath = controlPathTest(more)
    this.#hint = controlHint(more)
    this.#quickHint = quickHint(more)
    this.#inUse = inUse
  }

  /** Whether the arguments have to be read closely. Never says no where `namedBy` finds something. */
  mayBeNamed(args: unknown, machine: Machine | undefined, depth = 0): boolean {
    if (typeof args === 'string') return this.#quickHint.test(args) && this.#isSuspicious(args, machine)
    if (typeof args !== 'object' || args === null) return false
    if (depth > maxDepth) return true
    for (const key in args)
      if (this.mayBeNamed((args as Record<string, unknown>)[key], machine, depth + 1)) return true
    return false
  }

  #isSuspicious(text: string, machine: Machine | undefined): boolean {
    return this.#hint.test(text) || (machine !== undefined && isPathLike(text))
  }

  /** The text in the arguments that names a control file. */
  async namedBy(
    args: unknown,
    machine: Machine | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const texts = leavesOf(args).flatMap(textsIn)
    const plain = texts.find((text) => readings(text, machine).some((path) => this.#isControlPath(path)))
    if (plain !== undefined || machine === undefined) return plain
    const known = await abortable(this.#realFiles(machine), signal)
    for (const text of texts.filter(isPathLike)) {
      for (const path of readings(text, machine)) {
        const real = await abortable(realPath(path), signal)
        if (this.#isControlPath(real) || known.has(foldedPath(real)) || this.#isInUse(path, real)) return text
      }
    }
    return undefined
  }

  #isInUse(path: string, real: string): boolean {
    const paths = [foldedPath(path), foldedPath(real)]
    return this.#inUse().some((file) => paths.includes(foldedPath(normalisedPath(resolve(file)))))
  }

  /** Where control files really are, if what stands in their place is a link. */
  #realFiles({ home, folders }: Machine): Promise<ReadonlySet<string>> {
    const key = [home, ...folders].join('\n')
    const known = this.#behindLinks.get(key) ?? realPlaces([home, ...folders])
    this.#behindLinks.set(key, known)
    return known
  }
}

const maxDepth = 64

async function realPlaces(folders: readonly string[]): Promise<ReadonlySet<string>> {
  const places = controlPlaces.filter((place) => !place.includes('*'))
  const files = folders.flatMap((folder) => places.map((place) => join(folder, place)))
  const found = await Promise.all(files.map((file) => realpath(file).catch(() => undefined)))
  return new Set(found.filter((file) => file !== undefined).map(foldedPath))
}

/** No file system takes a longer path; a link in one is found at its shorter spelling. */
const maxPathLength = 4_096

function isPathLike(text: string): boolean {
  return text.length <= maxPathLength && /[/\\]|^~|\.[\w-]{1,16}$/.test(text)
}

/** Names of arguments that hold a line for a shell or a program; the words of one may be paths. */
const commandKeys = /^(?:cmd|command|commands|script|code|shell|bash|args|argv|arguments|input|expression)$/i

function textsIn({ key, value }: Leaf): readonly string[] {
  if (typeof value !== 'string') return []
  if (!commandKeys.test(key)) return [value]
  return [value, ...value.split(/[\s'"`;|&<>()=,]+/).filter((word) => word !== '')]
}

/** What a text may mean as a path. */
function readings(text: string, machine: Machine | undefined): readonly string[] {
  const texts = text.includes('%') ? [text, decoded(text)] : [text]
  return texts.flatMap(pathsOf).flatMap((path) => placesMeant(path, machine))
}

function placesMeant(path: string, machine: Machine | undefined): readonly string[] {
  if (machine === undefined) return [path]
  if (/^~(?:\/|$)/.test(path)) return [normalisedPath(`${machine.home}${path.slice(1)}`)]
  if (isRooted(path)) return [path]
  return machine.folders.map((folder) => normalisedPath(`${folder}/${path}`))
}

/** More links in a row than any file system follows. */
const maxLinks = 40

/** Where a path leads when every link is followed, also to what is not there yet: writing would make it. */
async function realPath(path: string, links = 0): Promise<string> {
  const absolute = resolve(path)
  const real = await realpath(absolute).catch(() => undefined)
  const parent = dirname(absolute)
  if (real !== undefined || parent === absolute) return real ?? absolute
  const target = links < maxLinks ? await readlink(absolute).catch(() => undefined) : undefined
  if (target !== undefined) return realPath(resolve(parent, target), links + 1)
  return join(await realPath(parent, links), basename(absolute))
}
