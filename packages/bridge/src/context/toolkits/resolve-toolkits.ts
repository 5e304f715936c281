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

/** Says how to start or reach the toolkit of a name; undefined when it knows none. */
export type TransportProvider = (
  name: string,
) =>
  | MCPTransportInput
  | MCPTransportSpec
  | undefined
  | Promise<MCPTransportInput | MCPTransportSpec | undefined>

/** Where toolkits are looked for, in this order. */
export interface ToolkitSources {
  readonly toolkits: MCPToolkitMap
  readonly provider: TransportProvider | undefined
  /** Undefined for those who may draw on nothing of this machine. */
  readonly file: (() => Promise<SecretFile>) | undefined
}

/** A toolkit that was found, and where. */
export interface BoundToolkit {
  readonly name: string
  readonly source: 'context' | 'provider' | 'file'
  readonly spec: ServerSpec
  readonly link?: McpTransport
  readonly tools?: readonly Tool[]
}

export interface FailedToolkit {
  readonly name: string
  readonly error: string
}

/** What became of each name that was asked for, in the order it was asked for. */
export interface ResolvedToolkits {
  readonly bound: readonly BoundToolkit[]
  readonly failed: readonly FailedToolkit[]
  readonly missing: readonly string[]
  /** One too many. */
  readonly refused: readonly string[]
}

type Found = BoundToolkit | FailedToolkit | undefined

export interface ResolveToolkitsOptions {
  readonly sources: ToolkitSources
  /** Takes one more server, unless there are as many as may be. */
  readonly admit: (name: string) => boolean
  readonly liveSpec: (name: string, link: McpTransport) => ServerSpec
}

/** Finds the toolkits of these names. */
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

/** A provider that fails, or hands out what cannot be used, fails the one toolkit. */
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
