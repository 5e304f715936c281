import type { ToolAnnotations } from '@toolbridge/client'
import type { BridgeTool } from '../../catalog/bridge-tool.ts'
import { compileGlob } from '../../text/glob.ts'
import { namesInAnyStyle } from './names-in-any-style.ts'
import { decoded, folded } from './path-text.ts'
import type { Namespace, Target } from './pattern.ts'
import { resourceReadings } from './value-readings.ts'

/** What may be allowed or not: a tool, or something else of a server. */
export interface Subject {
  readonly namespace: Namespace
  readonly server: string
  /** The server's own name for the tool or prompt, the URI of a resource, the kind of a question. */
  readonly item: string
  /** The public name; only tools have one. */
  readonly name?: string
  readonly annotations?: ToolAnnotations | undefined
  /** What a tool is called in any style of names; worked out once somebody asks. */
  readonly names?: () => ReadonlySet<string>
}

/** A tool as rules see it. */
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
 * Tells whether a rule's target is a subject. A rule that allows holds for the name that a tool has here; one that narrows
 * for every name that it could have.
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
    return ({ server, item }) => isServer(server) && isItem(item)
  }
  const matches = compileGlob(target.name, (literal) => literal)
  return ({ name }) => name !== undefined && matches(name)
}

/** Names that differ only in what a reader would not see, or in case, are the same here. */
function narrowingMatcher(target: Target): (subject: Subject) => boolean {
  if (target.kind === 'pair') {
    const read = (literal: string): string => folded(decoded(literal))
    const [isServer, isItem] = [compileGlob(target.server, read), compileGlob(target.item, read)]
    return ({ namespace, server, item }) =>
      isServer(folded(server)) &&
      (namespace === 'resource' ? resourceReadings(item) : [folded(item)]).some(isItem)
  }
  const matches = compileGlob(target.name, folded)
  return ({ names }) => names !== undefined && [...names()].some((name) => matches(folded(name)))
}
