import { type Issue, pointerTo } from '../../config/spec/issue.ts'
import { readConfig } from '../../config/read/read-config.ts'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import { type Piece, parseVariables, printVariables } from '../../config/variables/variables.ts'
import { pathGet } from './path-get.ts'

/** A server of the metadata. */
export interface MetadataServer {
  /** The definition as written, with references into the context. */
  readonly definition: ServerSpec
  /** The definition with values of the context filled in. */
  readonly spec: ServerSpec
}

/** The servers of the metadata, and the issues of invalid entries. */
export interface McpMetadata {
  readonly servers: readonly MetadataServer[]
  readonly issues: readonly Issue[]
}

/**
 * Reads the `mcp` metadata of a skill and its parents, outermost first; an inner entry replaces an outer one of the same
 * name. `${path}` is replaced by the value in the context, and omitted if there is none; `\${NAME}` is resolved at launch.
 * Inserted values are not expanded again.
 */
export function readMcpMetadata(levels: readonly unknown[], context: unknown): McpMetadata {
  const servers = new Map<string, MetadataServer>()
  const issues: Issue[] = []
  for (const level of levels) {
    const reading = readConfig(JSON.stringify({ metadata: { mcp: level } }), {
      // Selects the JSON format instead of YAML.
      file: 'metadata.json',
      dialect: 'agent-apps',
      kind: 'code',
    })
    issues.push(...reading.issues)
    for (const definition of reading.servers) {
      const { spec, issues: found } = interpolate(definition, context)
      issues.push(...found)
      if (spec === undefined) servers.delete(definition.name)
      else servers.set(definition.name, { definition, spec })
    }
  }
  return { servers: [...servers.values()], issues }
}

/** Fills the values of a context into a definition; undefined if no command or URL remains. */
export function interpolate(
  definition: ServerSpec,
  context: unknown,
): { readonly spec: ServerSpec | undefined; readonly issues: readonly Issue[] } {
  const { spec, issues } = new Interpolation(definition, context)
  return { spec, issues }
}

/** Fills in one entry. Variables of the environment follow at launch. */
class Interpolation {
  readonly issues: Issue[] = []
  /** Undefined if no command or URL remains. */
  readonly spec: ServerSpec | undefined
  readonly #context: unknown
  readonly #source: ServerSpec['source']
  readonly #name: string

  constructor(spec: ServerSpec, context: unknown) {
    this.#context = context
    this.#source = spec.source
    this.#name = spec.name
    this.spec = spec.transport === 'stdio' ? this.#program(spec) : this.#remote(spec)
  }

  #program(spec: ServerSpec & { readonly transport: 'stdio' }): ServerSpec | undefined {
    const command = this.#text(spec.command, '/command', 'error')
    const args = spec.args.flatMap((arg, index) => this.#text(arg, pointerTo('/args', index)) ?? [])
    const env = this.#map(spec.env, '/env')
    return command === undefined ? undefined : { ...spec, command, args, env }
  }

  #remote(spec: Exclude<ServerSpec, { readonly transport: 'stdio' }>): ServerSpec | undefined {
    const url = this.#text(spec.url, '/url', 'error')
    return url === undefined ? undefined : { ...spec, url, headers: this.#map(spec.headers, '/headers') }
  }

  #map(map: Readonly<Record<string, string>>, path: string): Readonly<Record<string, string>> {
    const entries = Object.entries(map).flatMap(([key, value]) => {
      const text = this.#text(value, pointerTo(path, key))
      return text === undefined ? [] : [[key, text] as const]
    })
    return Object.fromEntries(entries)
  }

  /** The text with launch variables only; undefined if a path has no value. */
  #text(text: string, path: string, severity: Issue['severity'] = 'warning'): string | undefined {
    const pieces = parseVariables(text)
    // Invalid variables are reported at launch.
    if (!pieces.every(isPrintable)) return text
    const replaced = pieces.map((piece) => (piece.kind === 'context' ? this.#lookUp(piece.name) : piece))
    const known = replaced.flatMap((piece) => piece ?? [])
    for (const [index, piece] of pieces.entries())
      if (piece.kind === 'context' && replaced[index] === undefined) this.#report(piece.name, path, severity)
    return known.length < pieces.length ? undefined : printVariables(known)
  }

  #lookUp(path: string): Printable | undefined {
    const value = pathGet(this.#context, path)
    const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return isText ? { kind: 'text', text: String(value) } : undefined
  }

  #report(variable: string, path: string, severity: Issue['severity']): void {
    this.issues.push({
      code: 'variable_unset',
      severity,
      file: this.#source.file,
      path: this.#source.pointer + path,
      message: `server "${this.#name}": ${path.slice(1)} uses \${${variable}}, which the context does not have, and is left out`,
      fix: `put it there, or write \\\${${variable}} for a variable of the environment`,
    })
  }
}

type Printable = Parameters<typeof printVariables>[0][number]

function isPrintable(piece: Piece): piece is Printable {
  return !['unknown', 'nested', 'cyclic', 'unterminated'].includes(piece.kind)
}
