import { parsedUrl } from '@toolbridge/client/internal'
import { withSlashes } from './characters.ts'
import { folded, foldedPath } from './folding.ts'
import {
  addressedPaths,
  isRooted,
  maxPathLength,
  mayHaveLinks,
  normalizedPath,
  pathForms,
  resolvedPaths,
  withoutSlashBeforeDrive,
} from './paths.ts'
import { percentDecoded, spellingsOf, writtenSpellings } from './spellings.ts'
import type { Steps } from './steps.ts'

/** A text with more readings is doubtful: rules that restrict apply, and none that allows. */
const maxReadings = 64

/** Where a relative path can begin, and what `~` stands for. */
export interface Places {
  readonly home: string
  readonly folders: readonly string[]
}

/** A way to read a text, with what it denotes in that reading. */
class Spelling {
  readonly text: string
  #folded: string | undefined
  #addresses: readonly string[] | undefined
  #forms: readonly string[] | undefined
  #paths: ReadonlyMap<string, readonly (string | undefined)[]> | undefined

  constructor(text: string) {
    this.text = text
  }

  get folded(): string {
    this.#folded ??= folded(this.text)
    return this.#folded
  }

  get addresses(): readonly string[] {
    this.#addresses ??= addressesOf(this.text)
    return this.#addresses
  }

  /** As a path, not resolved. */
  get forms(): readonly string[] {
    this.#forms ??= pathForms(this.text)
    return this.#forms
  }

  /** The forms, resolved; undefined if the path is too long to be opened. */
  get paths(): ReadonlyMap<string, readonly (string | undefined)[]> {
    this.#paths ??= new Map(this.forms.map((form) => [form, resolvedPaths(form)]))
    return this.#paths
  }
}

/**
 * What a text can mean to the server that gets it: another spelling, an address, a path. Everything is computed once and on
 * demand, in passes over the whole text.
 */
export class Readings {
  readonly text: string
  #spellings: readonly Spelling[] | undefined
  #texts: readonly string[] | undefined
  #isDoubtful: boolean | undefined

  constructor(text: string) {
    this.text = text
  }

  /** Computes everything step by step. */
  *compute(): Steps<void> {
    const spellings: Spelling[] = []
    for (const each of spellingsOf(this.text)) {
      const spelling = new Spelling(each)
      spellings.push(spelling)
      for (const part of ['folded', 'addresses', 'forms', 'paths'] as const) {
        yield
        void spelling[part]
      }
      yield
    }
    this.#spellings = spellings
  }

  get #all(): readonly Spelling[] {
    this.#spellings ??= [...spellingsOf(this.text)].map((each) => new Spelling(each))
    return this.#spellings
  }

  /** The spellings of the text, folded. */
  get texts(): readonly string[] {
    this.#texts ??= [...new Set(this.#all.map((each) => each.folded))]
    return this.#texts
  }

  /** The text as a path or address from these places, and as a text, folded. */
  inPlaces(places: Places): readonly string[] {
    return [...new Set([...this.texts, ...this.#addresses.map(folded), ...this.pathsIn(places)])]
  }

  /** The paths of the text from these places, folded. */
  pathsIn({ home, folders }: Places): readonly string[] {
    const paths = this.#all.flatMap((spelling) =>
      [...spelling.paths].flatMap(([form, resolved]) => [
        ...placed(form, resolved, folders),
        ...fromDrive(form).flatMap((path) => placed(path, resolvedPaths(path), folders)),
        ...fromHome(form, home),
      ]),
    )
    return [...new Set(paths.map(foldedPath))]
  }

  /** The spellings of a URI, and the addresses that it denotes, folded. */
  get asAddresses(): readonly string[] {
    const files = present(this.#all.flatMap(({ text }) => filesOf(text)))
    return [...new Set([...this.texts, ...this.#addresses.map(folded), ...files.map(foldedPath)])]
  }

  /** The paths of the text, resolved and as they are written, not folded, that can be opened. */
  get openable(): readonly string[] {
    const paths = this.#all.flatMap((spelling) =>
      [...spelling.paths].flatMap(([form, all]) => [form, ...all]),
    )
    return present([...new Set(paths)]).filter((path) => path.length <= maxPathLength && !path.includes('\0'))
  }

  /** Whether the text has too many readings to be compared. */
  get isDoubtful(): boolean {
    this.#isDoubtful ??= this.#count > maxReadings
    return this.#isDoubtful
  }

  get #count(): number {
    const paths = this.#all.flatMap((spelling) => [...spelling.paths.values()].flatMap(present))
    return new Set([...this.texts, ...this.#addresses, ...paths]).size
  }

  get #addresses(): readonly string[] {
    return this.#all.flatMap((spelling) => spelling.addresses)
  }

  /** Returns whether a test for allowed paths and addresses holds in every reading. `test` gets unfolded texts. */
  everyPath(test: (text: string) => boolean): boolean {
    return !this.isDoubtful && this.#all.every((each) => everyShort(allowedTexts(each), test))
  }

  /** Returns whether a test for allowed URIs holds in every reading. `test` gets unfolded texts. */
  everyAddress(test: (uri: string) => boolean): boolean {
    return (
      !this.isDoubtful &&
      this.#all.every(({ text }) => everyShort([...allowedAddresses(text), ...filesOf(text)], test))
    )
  }

  /**
   * Returns whether a test holds for every spelling that has a separator of paths. A separator that only a reader sees who
   * ignores Unicode's variants may also be a sign in a sentence: it counts if the path leaves its folder.
   */
  everySeparated(test: (text: string) => boolean): boolean {
    const written = new Set(writtenSpellings(this.text))
    return this.#all.every(
      ({ text }) => !/[/\\]/.test(text) || test(text) || (!written.has(text) && !leavesFolder(text)),
    )
  }
}

/** Whether a text is a path that leads out of the folder that it is relative to, or an address. */
function leavesFolder(text: string): boolean {
  return /^(?:[/\\~]|[a-z][a-z0-9+.-]{0,63}:)|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(text)
}

function everyShort(texts: readonly (string | undefined)[], test: (text: string) => boolean): boolean {
  return texts.every((each) => each !== undefined && each.length <= maxPathLength && test(each))
}

/** What an allowing rule looks at: the address of the text, or all paths that it can be. */
function allowedTexts(spelling: Spelling): readonly (string | undefined)[] {
  const { text } = spelling
  return isRemote(text) ? allowedAddresses(text) : [...spelling.paths.values()].flat()
}

function allowedAddresses(text: string): readonly string[] {
  const addresses = isRemote(text) ? slashings(text) : []
  return addresses.length === 0 ? [text] : addresses.map(({ href }) => href)
}

/** Whether a text is an address of something other than a file. */
function isRemote(text: string): boolean {
  return /^[a-z][a-z0-9+.-]{0,63}:\/\//i.test(text) && !/^file:/i.test(text)
}

/** The addresses of the files that a URI can denote: it is an address of a file, or a path from the root. */
function filesOf(uri: string): readonly (string | undefined)[] {
  const paths = /^[/\\]/.test(uri) ? pathForms(uri) : addressedPaths(uri).flatMap(pathForms)
  return [...new Set(paths)]
    .flatMap(resolvedPaths)
    .map((path) => path && `file://${path.startsWith('/') ? '' : '/'}${path}`)
}

function present(paths: readonly (string | undefined)[]): readonly string[] {
  return paths.filter((path) => path !== undefined)
}

/** A URL normalized, also without credentials and the trailing dot of the hostname. */
function addressesOf(text: string): readonly string[] {
  if (!/^[a-z][a-z0-9+.-]{0,63}:/i.test(text) || /^file:/i.test(text)) return []
  return [...new Set(slashings(text).flatMap(addressOf))]
}

function addressOf(url: URL): readonly string[] {
  const { href } = url
  if (url.username !== '') url.username = ''
  if (url.password !== '') url.password = ''
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  return [href, url.href, percentDecoded(url.href)]
}

/** The valid addresses that a text is with all of its slashes, and with one for several. */
function slashings(text: string): readonly URL[] {
  return [...new Set([text, withSingleSlashes(text)])].flatMap((each) => parsedUrl(each) ?? [])
}

/** An address as a server reads it that takes several slashes for one before it resolves the path. */
function withSingleSlashes(address: string): string {
  const [whole = '', beginning = '', path = ''] =
    /^([a-z][a-z0-9+.-]{0,63}:[/\\]*[^/\\?#]*)([^?#]*)/i.exec(address) ?? []
  return `${beginning}${path.replaceAll(/[/\\]{2,}/g, '/')}${address.slice(whole.length)}`
}

/** `C:x` is relative to the current folder of that drive. */
function fromDrive(form: string): readonly string[] {
  return /^[A-Za-z]:(?!\/)/.test(form) ? [form.slice(2)] : []
}

function fromHome(form: string, home: string): readonly string[] {
  return /^~(?=\/|$)/.test(form) ? present(resolvedPaths(`${withSlashes(home)}${form.slice(1)}`)) : []
}

/** A path, and where it leads from the folders. */
function placed(
  form: string,
  resolved: readonly (string | undefined)[],
  folders: readonly string[],
): readonly string[] {
  const elsewhere = resolved.flatMap((path) => {
    if (path !== undefined && isRooted(path)) return folders.flatMap((folder) => insideOf(folder, path))
    // The depth of the base folder is unknown, so this may lead to the root.
    const bases = path?.startsWith('..') === true ? ['', ...folders] : folders
    const inBases = bases.flatMap((base) => present(joined(withSlashes(base), form, path)))
    return inBases.flatMap((each) => [each, withoutSlashBeforeDrive(each)])
  })
  return [...present(resolved), ...elsewhere]
}

/** A relative path from a folder, which may lead through links that the path alone does not have. */
function joined(folder: string, form: string, path: string | undefined): readonly (string | undefined)[] {
  const whole = `${folder}/${form}`
  if (!isRooted(form) && mayHaveLinks(whole)) return resolvedPaths(whole)
  return path === undefined ? [] : resolvedPaths(`${folder}/${path}`)
}

function insideOf(folder: string, path: string): readonly string[] {
  const [text, beginning] = [foldedPath(path), `${foldedPath(normalizedPath(folder))}/`]
  return text.startsWith(beginning) ? [text.slice(beginning.length)] : []
}
