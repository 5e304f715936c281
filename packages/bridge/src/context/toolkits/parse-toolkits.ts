import type { McpTransport, Tool } from '@toolbridge/client'
import { type Issue, pointerTo } from '../../config/spec/issue.ts'
import {
  isRemoteTransport,
  type RemoteTransport,
  remoteTransports,
} from '../../config/spec/remote-transports.ts'
import type { ServerSpec } from '../../config/spec/server-spec.ts'
import { ConfigError } from '../../errors.ts'
import { isJsonObject } from '@toolbridge/client/internal'
import { isMessageTransport, overMessages } from './message-transport.ts'
import type { MCPToolkit, MCPToolkitMap, MCPToolkitTransport } from './toolkits.ts'

/** Reports a problem at a path and returns undefined as the parsed value. */
export type Report = (path: string, problem: string) => undefined

const kinds: readonly string[] = ['stdio', ...Object.keys(remoteTransports)].map((kind) => `"${kind}"`)

type Fields = Readonly<Record<string, unknown>>

/** Results of `readToolkits`, which nobody can change. */
const validated = new WeakSet<object>()

/**
 * Validates and copies toolkits. Throws a `ConfigError` with every issue. An execution context takes the result as it is, so one
 * that is used often is validated once.
 */
export function readToolkits(toolkits: unknown): MCPToolkitMap {
  const read = deepFreeze(
    parseOrThrow('toolkits', 'correct the toolkits that were passed', (report) =>
      parseToolkits(toolkits, '', report),
    ),
  )
  validated.add(read)
  return read
}

/** Freezes a value and all in it. A live transport is stateful and cannot be frozen; everything else is data. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || isLink(value) || validated.has(value)) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}

function isLink(value: object): boolean {
  return 'request' in value && typeof value.request === 'function'
}

/** Runs a parser. Throws a `ConfigError` with every issue; messages contain no values. */
export function parseOrThrow<T>(what: string, fix: string, parse: (report: Report) => T): T {
  const { value, problems } = parseAll(parse)
  if (problems.length === 0) return value
  const issues: readonly Issue[] = problems.map(({ path, problem }) => ({
    code: 'context_invalid',
    severity: 'error',
    file: what,
    path,
    message: `the ${what} cannot be used: ${path || 'it'} ${problem}`,
    fix,
  }))
  throw ConfigError.of(issues)
}

/** Runs a parser and collects what it reports. The value is meaningless if there is a problem. */
export function parseAll<T>(parse: (report: Report) => T): {
  readonly value: T
  readonly problems: readonly { readonly path: string; readonly problem: string }[]
} {
  const problems: { readonly path: string; readonly problem: string }[] = []
  const value = parse((path, problem) => {
    problems.push({ path, problem })
    return undefined
  })
  return { value, problems }
}

function isValidated(value: unknown): value is MCPToolkitMap {
  return typeof value === 'object' && value !== null && validated.has(value)
}

export function parseToolkits(value: unknown, path: string, report: Report): MCPToolkitMap {
  if (isValidated(value)) return value
  if (!isJsonObject(value)) {
    report(path, 'must be an object')
    return {}
  }
  const toolkits = Object.entries(value).flatMap(([name, toolkit]) => {
    const known = parseToolkit(toolkit, pointerTo(path, name), report)
    return known === undefined ? [] : [[name, known] as const]
  })
  // Without a prototype, so that inherited names are not found.
  return Object.assign(Object.create(null), Object.fromEntries(toolkits)) as MCPToolkitMap
}

/** Parses the field `mcp` of an execution context. */
export function parseMcp(value: unknown, path: string, report: Report): { readonly toolkits: MCPToolkitMap } {
  const fields = isJsonObject(value) ? value : {}
  rejectUnknownFields(fields, ['toolkits'], path, report)
  return { toolkits: parseToolkits(fields['toolkits'], `${path}/toolkits`, report) }
}

/** Rejects unknown fields: one of them may be meant as a restriction. */
export function rejectUnknownFields(
  value: Fields,
  known: readonly string[],
  path: string,
  report: Report,
): void {
  for (const field of Object.keys(value).filter((each) => !known.includes(each)))
    report(pointerTo(path, field), 'is not a field that is known here')
}

export function parseToolkit(value: unknown, path: string, report: Report): MCPToolkit | undefined {
  if (!isJsonObject(value)) return report(path, 'must be an object')
  rejectUnknownFields(value, ['transport', 'transportSpec', 'tools'], path, report)
  const tools = parseTools(value['tools'], `${path}/tools`, report)
  const transport = parseEither(value, path, report)
  if (transport === undefined) return undefined
  // An empty list means that the tools are unknown.
  return { transport, ...(tools === undefined || tools.length === 0 ? {} : { tools }) }
}

function parseEither(
  { transport, transportSpec }: Fields,
  path: string,
  report: Report,
): MCPToolkit['transport'] | undefined {
  if (transport !== undefined && transportSpec !== undefined)
    return report(path, 'must have one of "transport" and "transportSpec"')
  if (transportSpec !== undefined) return parseStdio(transportSpec, `${path}/transportSpec`, report)
  return parseTransport(transport, `${path}/transport`, report)
}

/** Parses a live transport, or the description of one. */
export function parseTransport(
  transport: unknown,
  path: string,
  report: Report,
): MCPToolkit['transport'] | undefined {
  if (!isJsonObject(transport)) return report(path, 'must have a kind and a spec, or be a transport')
  if (isMcpTransport(transport)) return transport
  if (isMessageTransport(transport)) return overMessages(transport)
  const { kind, spec } = transport
  rejectUnknownFields(transport, ['kind', 'spec'], path, report)
  if (kind === undefined || spec === undefined)
    return report(path, 'must have a kind and a spec, or be a transport')
  if (kind === 'stdio') return parseStdio(spec, `${path}/spec`, report)
  if (kind === 'definition') return parseDefinition(spec, `${path}/spec`, report)
  if (isRemoteTransport(kind)) return parseRemote(kind, spec, `${path}/spec`, report)
  return report(`${path}/kind`, `must be ${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`)
}

function isMcpTransport(value: object): value is McpTransport {
  return ['start', 'request', 'notify', 'setHandlers', 'close'].every(
    (verb) => typeof Reflect.get(value, verb) === 'function',
  )
}

/** Invalid fields are reported; the result is not used then. */
export function parseStdio(spec: unknown, path: string, report: Report): MCPToolkitTransport | undefined {
  if (!isJsonObject(spec)) return report(path, 'must be an object')
  rejectUnknownFields(spec, ['command', 'args', 'env'], path, report)
  const { command, args } = spec
  const isCommand = typeof command === 'string' && command !== ''
  if (!isCommand) report(`${path}/command`, 'must be a string')
  const isTextList = isTextArray(args)
  if (!isTextList) report(`${path}/args`, 'must be an array of strings')
  const env = parseEnvironment(spec['env'], `${path}/env`, report)
  if (!isCommand || !isTextList) return undefined
  return { kind: 'stdio', spec: { command, args: [...args], ...(env === undefined ? {} : { env }) } }
}

function isTextArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function parseRemote(
  kind: RemoteTransport,
  spec: unknown,
  path: string,
  report: Report,
): MCPToolkitTransport | undefined {
  if (!isJsonObject(spec)) return report(path, 'must be an object')
  rejectUnknownFields(spec, ['url', 'headers'], path, report)
  const { url } = spec
  const headers = parseTextMap(spec['headers'], `${path}/headers`, report)
  if (typeof url !== 'string' || url === '') return report(`${path}/url`, 'must be a string')
  return { kind, spec: { url, ...(headers === undefined ? {} : { headers }) } }
}

/** Its values are checked when it is resolved, under the authority of the principal. */
function parseDefinition(spec: unknown, path: string, report: Report): MCPToolkitTransport | undefined {
  if (!isServerSpec(spec)) return report(path, 'must be a server definition as readConfig returns it')
  return { kind: 'definition', spec: structuredClone(spec) }
}

function isServerSpec(value: unknown): value is ServerSpec {
  const { name, transport, command, url, source } = isJsonObject(value) ? value : {}
  if (typeof name !== 'string' || !isJsonObject(source)) return false
  return transport === 'stdio'
    ? typeof command === 'string'
    : isRemoteTransport(transport) && typeof url === 'string'
}

/** Converts numbers and booleans in an environment to strings. */
function parseEnvironment(
  env: unknown,
  path: string,
  report: Report,
): Readonly<Record<string, string>> | undefined {
  const isPlain = (value: unknown): boolean => typeof value === 'boolean' || Number.isFinite(value)
  if (!isJsonObject(env)) return parseTextMap(env, path, report)
  const texts = Object.entries(env).map(([key, value]) => [key, isPlain(value) ? String(value) : value])
  return parseTextMap(Object.fromEntries(texts), path, report)
}

/** Parses and copies a map of strings. */
export function parseTextMap(
  map: unknown,
  path: string,
  report: Report,
): Readonly<Record<string, string>> | undefined {
  if (map === undefined) return undefined
  if (!isJsonObject(map)) return report(path, 'must be an object of strings')
  const texts = Object.entries(map).flatMap(([key, value]) => {
    if (typeof value === 'string') return [[key, value] as const]
    report(pointerTo(path, key), 'must be a string')
    return []
  })
  return Object.fromEntries(texts)
}

function parseTools(tools: unknown, path: string, report: Report): readonly Tool[] | undefined {
  if (tools === undefined) return undefined
  if (Array.isArray(tools))
    return tools.flatMap((tool: unknown, index) => parseTool(tool, undefined, pointerTo(path, index), report))
  if (!isJsonObject(tools)) return report(path, 'must be an array, or an object by name')
  return Object.entries(tools).flatMap(([name, tool]) => parseTool(tool, name, pointerTo(path, name), report))
}

/** Keeps only what a model sees of a tool. Annotations, which affect permissions, come from the server. */
function parseTool(tool: unknown, key: string | undefined, path: string, report: Report): readonly Tool[] {
  if (!isJsonObject(tool)) {
    report(path, 'must be an object')
    return []
  }
  const { name = key, title, description, inputSchema = { type: 'object' } } = tool
  const isNamed = typeof name === 'string' && name !== ''
  if (!isNamed) report(`${path}/name`, 'must be a string')
  const schema = asJson(inputSchema)
  if (!isJsonObject(schema)) report(`${path}/inputSchema`, 'must be an object that can be written as JSON')
  if (!isNamed || !isJsonObject(schema)) return []
  return [
    {
      name,
      inputSchema: schema,
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
    },
  ]
}

/** Copies a value as JSON; undefined if it is not representable. */
function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null')
  } catch {
    return undefined
  }
}
