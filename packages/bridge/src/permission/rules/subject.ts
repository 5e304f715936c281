import type { ToolAnnotations } from '@toolbridge/client'
import type { BridgeTool } from '../../catalog/bridge-tool.ts'
import { printable } from '@toolbridge/client/internal'
import { compileGlob } from '../../text/glob.ts'
import { namesInAnyStyle } from './names-in-any-style.ts'
import { folded } from '../readings/folding.ts'
import { Readings } from '../readings/readings.ts'
import { decoded, type Namespace, type Target } from './pattern.ts'

/** The subject of a decision: a tool, resource, prompt, sampling request or question of a server. */
export interface Subject {
  readonly namespace: Namespace
  readonly server: string
  /** Raw name of the tool or prompt, URI of the resource, or kind of the question. */
  readonly item: string
  /** Public name; tools only. */
  readonly name?: string
  readonly annotations?: ToolAnnotations | undefined
  /** The names of the tool in every naming style, computed on demand. */
  readonly names?: () => ReadonlySet<string>
}

/** The subject of a tool. */
export function toolSubject(tool: BridgeTool): Subject {
  let names: ReadonlySet<string> | undefined
  return {
    namespace: 'mcp',
    server: tool.server,
    item: tool.rawName,
    name: tool.name,
    annotations: tool.definition.annotations,
    names: () => {
      names ??= namesInAnyStyle(tool)
      return names
    },
  }
}

/**
 * Compiles the target of a rule. An allowing rule matches the public name of a tool; a restricting one every name that
 * the tool could have.
 */
export function targetMatcher(
  target: Target,
  { narrows }: { readonly narrows: boolean },
): (subject: Subject) => boolean {
  return narrows ? narrowingMatcher(target) : allowingMatcher(target)
}

function allowingMatcher(target: Target): (subject: Subject) => boolean {
  if (target.kind === 'pair') {
    const [isServer, isItem] = [compileGlob(target.server, decoded), compileGlob(target.item, decoded)]
    return (subject) =>
      isServer(subject.server) &&
      isItem(subject.item) &&
      (subject.namespace !== 'resource' || read(subject).uri.everyAddress(isItem))
  }
  const matches = compileGlob(target.name, (literal) => literal)
  return ({ name }) => name !== undefined && matches(name)
}

/** The names of a subject in every reading, computed once for all rules and on demand. */
class ReadSubject {
  readonly #subject: Subject
  #server: readonly string[] | undefined
  #item: readonly string[] | undefined
  #names: readonly string[] | undefined
  #uri: Readings | undefined
  #addresses: readonly string[] | undefined

  constructor(subject: Subject) {
    this.#subject = subject
  }

  get server(): readonly string[] {
    this.#server ??= nameReadings(this.#subject.server)
    return this.#server
  }

  get item(): readonly string[] {
    this.#item ??= nameReadings(this.#subject.item)
    return this.#item
  }

  /** Public names. */
  get names(): readonly string[] {
    this.#names ??= [...new Set([...(this.#subject.names?.() ?? [])].flatMap(nameReadings))]
    return this.#names
  }

  /** The item of a resource. */
  get uri(): Readings {
    this.#uri ??= new Readings(this.#subject.item)
    return this.#uri
  }

  /** Returns whether a rule that restricts is about a resource, whatever its URI denotes. */
  isSomeAddress(isItem: (text: string) => boolean): boolean {
    if (this.uri.isDoubtful) return true
    this.#addresses ??= this.uri.asAddresses
    return this.#addresses.some(isItem)
  }
}

const readSubjects = new WeakMap<Subject, ReadSubject>()

function read(subject: Subject): ReadSubject {
  const known = readSubjects.get(subject) ?? new ReadSubject(subject)
  readSubjects.set(subject, known)
  return known
}

/** The readings of a name: folded, and without the spaces, escapes and lone surrogates that nobody sees. */
function nameReadings(name: string): readonly string[] {
  return [folded(name), folded(printable(name)).trim()]
}

/** Ignores case and invisible characters. */
function narrowingMatcher(target: Target): (subject: Subject) => boolean {
  if (target.kind === 'pair') {
    const readLiteral = (literal: string): string => folded(decoded(literal))
    const [isServer, isItem] = [
      compileGlob(target.server, readLiteral),
      compileGlob(target.item, readLiteral),
    ]
    return (subject) => {
      if (!read(subject).server.some(isServer)) return false
      return subject.namespace === 'resource'
        ? read(subject).isSomeAddress(isItem)
        : read(subject).item.some(isItem)
    }
  }
  const matches = compileGlob(target.name, folded)
  return (subject) => read(subject).names.some(matches)
}
