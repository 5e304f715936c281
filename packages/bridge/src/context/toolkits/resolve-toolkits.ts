import type { McpTransport, Tool } from '@toolbridge/client'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import { messageOf } from '../../text/message-of.ts'
import { isJsonObject } from '@toolbridge/client/internal'
import { parseStdio, parseOrThrow, parseTransport } from './parse-toolkits.ts'
import { problemOf, type SecretFile } from './secret-file.ts'
import {
  isLive,
  type MCPToolkit,
  type MCPToolkitMap,
  type MCPTransportInput,
  type MCPTransportSpec,
  toolkitSpec,
} from './toolkits.ts'

/** Returns the transport of a toolkit by name; undefined if unknown. */
export type TransportProvider = (
  name: string,
) =>
  | MCPTransportInput
  | MCPTransportSpec
  | undefined
  | Promise<MCPTransportInput | MCPTransportSpec | undefined>

/** The sources of toolkits, in order of precedence. */
export interface ToolkitSources {
  readonly toolkits: MCPToolkitMap
  readonly provider: TransportProvider | undefined
  /** Undefined for sessions, which have no access to files of this machine. */
  readonly file: (() => Promise<SecretFile>) | undefined
}

/** A resolved toolkit and its source. */
export interface BoundToolkit {
  /** Name of the toolkit. */
  readonly name: string
  /** Where the definition came from. */
  readonly source: 'context' | 'provider' | 'file'
  /** The server definition. */
  readonly spec: ServerSpec
  /** A transport that the host passed. */
  readonly link?: McpTransport
  /** Tools listed in the toolkit, as text for the model. */
  readonly tools?: readonly Tool[]
}

/** A toolkit that could not be used. */
export interface FailedToolkit {
  /** Name of the toolkit. */
  readonly name: string
  /** Why it cannot be used. */
  readonly error: string
}

/** The result for each requested name, in the order of the request. */
export interface ResolvedToolkits {
  readonly bound: readonly BoundToolkit[]
  readonly failed: readonly FailedToolkit[]
  readonly missing: readonly string[]
  /** Names beyond the server limit. */
  readonly refused: readonly string[]
}

type Found = BoundToolkit | FailedToolkit | undefined

export interface ResolveToolkitsOptions {
  readonly sources: ToolkitSources
  /** Counts one more server; false if the limit is reached. */
  readonly admit: (name: string) => boolean
  readonly liveSpec: (name: string, link: McpTransport) => ServerSpec
}

/** Resolves toolkits by name. */
export async function resolveToolkits(
  names: readonly string[],
  options: ResolveToolkitsOptions,
): Promise<ResolvedToolkits> {
  const bound: BoundToolkit[] = []
  const failed: FailedToolkit[] = []
  const missing: string[] = []
  const refused: string[] = []
  for (const name of new Set(names)) {
    const found = await find(name, options)
    if (found === undefined) missing.push(name)
    else if ('error' in found) failed.push(found)
    else if (options.admit(name)) bound.push(found)
    else refused.push(name)
  }
  return { bound, failed, missing, refused }
}

async function find(name: string, options: ResolveToolkitsOptions): Promise<Found> {
  const { toolkits, provider, file } = options.sources
  const carried = Object.hasOwn(toolkits, name) ? toolkits[name] : undefined
  if (carried !== undefined) return bind(name, carried, 'context', options)
  const provided = provider && (await fromProvider(name, provider, options))
  return provided ?? (file && inFile(name, await file()))
}

function bind(
  name: string,
  { transport, tools }: MCPToolkit,
  source: BoundToolkit['source'],
  { liveSpec }: ResolveToolkitsOptions,
): BoundToolkit {
  const commons = { name, source, ...(tools === undefined ? {} : { tools }) }
  return isLive(transport)
    ? { ...commons, spec: liveSpec(name, transport), link: transport }
    : { ...commons, spec: toolkitSpec(name, transport) }
}

/** A provider that throws or returns an invalid transport fails this toolkit only. */
async function fromProvider(
  name: string,
  provider: TransportProvider,
  options: ResolveToolkitsOptions,
): Promise<Found> {
  try {
    const provided: unknown = await provider(name)
    if (provided === undefined) return undefined
    const transport = parseOrThrow(`transport of "${name}"`, 'correct what the provider returns', (report) =>
      isJsonObject(provided) && typeof provided['command'] === 'string'
        ? parseStdio(provided, '', report)
        : parseTransport(provided, '', report),
    )
    return transport && bind(name, { transport }, 'provider', options)
  } catch (error) {
    return { name, error: messageOf(error) }
  }
}

function inFile(name: string, file: SecretFile): Found {
  const spec = file.servers.find((server) => server.name === name)
  if (spec !== undefined) return { name, source: 'file', spec }
  const error = problemOf(name, file)
  return error === undefined ? undefined : { name, error }
}
