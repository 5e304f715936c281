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
    return ({ namespace, server, item }) =>
      isServer(server) &&
      isItem(item) &&
      (namespace !== 'resource' || new Readings(item).everyAddress(isItem))
  }
  const matches = compileGlob(target.name, (literal) => literal)
  return ({ name }) => name !== undefined && matches(name)
}

/** The readings of a name: folded, and without the spaces, escapes and lone surrogates that nobody sees. */
function nameReadings(name: string): readonly string[] {
  return [folded(name), folded(printable(name)).trim()]
}

/** Ignores case and invisible characters. */
function narrowingMatcher(target: Target): (subject: Subject) => boolean {
  if (target.kind === 'pair') {
    const read = (literal: string): string => folded(decoded(literal))
    const [isServer, isItem] = [compileGlob(target.server, read), compileGlob(target.item, read)]
    return ({ namespace, server, item }) =>
      nameReadings(server).some(isServer) &&
      (namespace === 'resource' ? isSomeAddress(item, isItem) : nameReadings(item).some(isItem))
  }
  const matches = compileGlob(target.name, folded)
  return ({ names }) => names !== undefined && [...names()].some((name) => nameReadings(name).some(matches))
}

/** Returns whether a rule that restricts is about a resource, whatever its URI denotes. */
function isSomeAddress(uri: string, isItem: (text: string) => boolean): boolean {
  const readings = new Readings(uri)
  return readings.isDoubtful || readings.asAddresses.some(isItem)
}
