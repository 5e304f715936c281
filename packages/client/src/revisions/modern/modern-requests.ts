import { loadDeferred } from '../../loading/load-deferred.ts'
import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { McpError, methodNotFound } from '../../jsonrpc/jsonrpc.ts'
import type { ClientCapabilities } from '../../model/capability.ts'
import type { LogLevel } from '../../model/logging.ts'
import type { IncomingRequestHandler, McpTransport, RequestOptions } from '../../jsonrpc/transport.ts'
import { type Wire, type WireOptions, wire } from '../../jsonrpc/wire-options.ts'
import type { HostOptions } from '../codec.ts'
import { declaredCapabilities } from '../declared-capabilities.ts'
import { mayBeMarked } from './header-marks.ts'
import { isComplete, requestHeaders, requestMeta } from './request-envelope.ts'
import type { ToolHeaderPlans } from './tool-header-plans.ts'
import { mutualVersions } from '../versions.ts'

/** The parameter that HTTP repeats in the header `Mcp-Name`. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** Sends requests of the modern era. Each carries the revision and the client's identity. */
export class ModernRequests {
  readonly #transport: McpTransport
  readonly #options: HostOptions
  readonly #capabilities: ClientCapabilities
  /** Loaded with the first tool whose arguments are repeated in headers. */
  #plans: ToolHeaderPlans | undefined
  #version: string
  #logLevel: LogLevel | undefined
  /** Created once, because it is part of every request. */
  #meta: JsonObject
  /** The last `_meta` with capabilities of a single request. */
  #requestMeta:
    | { readonly base: JsonObject; readonly of: ClientCapabilities; readonly meta: JsonObject }
    | undefined

  constructor(transport: McpTransport, host: HostOptions, version: string) {
    this.#transport = transport
    this.#options = host
    this.#capabilities = declaredCapabilities(host)
    this.#version = version
    this.#logLevel = host.logLevel
    this.#meta = this.#metaWith(this.#capabilities)
  }

  /** Sets the minimum severity of log messages for later requests. */
  setLogLevel(level: LogLevel): void {
    this.#logLevel = level
    this.#meta = this.#metaWith(this.#capabilities)
  }

  /** Sends a request, and once more if the server says how to fix it: a refused request has had no effect. */
  async send(method: string, params: JsonObject, options: RequestOptions, own?: Wire): Promise<JsonObject> {
    try {
      return await this.sendOnce(method, params, options, own)
    } catch (error) {
      if (!(error instanceof McpError)) throw error
      const { EXPIRED, isLegacyAnswer, recover } = await loadDeferred()
      if (isLegacyAnswer(error)) this.#options.eraCache?.set(this.#options.eraKey ?? '', EXPIRED)
      if (!(await recover(this, error, { method, params, options }))) throw error
      return this.sendOnce(method, params, options)
    }
  }

  /** Sends a request without recovery and checks the type of its result. */
  async sendOnce(
    method: string,
    params: JsonObject,
    options: RequestOptions,
    own?: Wire,
  ): Promise<JsonObject> {
    const wired = withoutHandler(options, this.#wireOf(method, params, own))
    const sent = { ...params, _meta: this.#metaOf(params, options) }
    const result = await this.#transport.request(method, sent, wired)
    if (isComplete(result)) return result
    return (await loadDeferred()).checkIncomplete(method, result, options.capabilities ?? this.#capabilities)
  }

  /** Returns a page of `tools/list` without the tools that cannot be called over this transport. */
  async readToolPage(page: JsonObject): Promise<JsonObject> {
    if (!this.usesHttp || (this.#plans === undefined && !mayBeMarked(page['tools']))) return page
    const { ToolHeaderPlans: Catalog } = await loadDeferred()
    this.#plans ??= new Catalog((warning) => this.#options.onWarning?.(warning))
    return this.#plans.readToolPage(page)
  }

  /** Whether requests carry the protocol's headers. */
  get usesHttp(): boolean {
    return this.#transport.usesHttp === true
  }

  /** Keeps the caller's members, except for the protocol's own. */
  #metaOf({ _meta: given }: JsonObject, { capabilities }: RequestOptions): JsonObject {
    const meta = capabilities === undefined ? this.#meta : this.#metaOfRequest(capabilities)
    return isJsonObject(given) ? { ...given, ...meta } : meta
  }

  /** Hosts mostly pass the same object with each request. */
  #metaOfRequest(capabilities: ClientCapabilities): JsonObject {
    const { base, of } = this.#requestMeta ?? {}
    if (this.#requestMeta !== undefined && base === this.#meta && of === capabilities)
      return this.#requestMeta.meta
    const meta = this.#metaWith(capabilities)
    this.#requestMeta = { base: this.#meta, of: capabilities, meta }
    return meta
  }

  #metaWith(capabilities: ClientCapabilities): JsonObject {
    return requestMeta(this.#version, this.#options, capabilities, this.#logLevel)
  }

  #wireOf(method: string, params: JsonObject, own: Wire | undefined): Wire {
    return { ...own, headers: this.usesHttp ? this.#headersFor(method, params) : undefined }
  }

  #headersFor(method: string, params: JsonObject): NonNullable<Wire['headers']> {
    const name = params[NAMED_BY[method] ?? '']
    return {
      ...requestHeaders(this.#version, method, name),
      ...(method === 'tools/call' ? this.#plans?.headersOf(name, params['arguments']) : {}),
    }
  }

  /** Switches to a revision that the server supports. False if there is none. */
  adoptVersion(supported: readonly string[]): boolean {
    const { modern } = mutualVersions(supported)
    if (modern === undefined) return false
    this.#version = modern
    this.#meta = this.#metaWith(this.#capabilities)
    return true
  }
}

/** Servers of this era send no requests. One that does is handled by the connection, which drops it. */
function withoutHandler(options: RequestOptions, own: Wire): WireOptions {
  return options.onRequest === undefined
    ? { ...options, [wire]: own }
    : { ...options, onRequest: leaveIt, [wire]: own }
}

const leaveIt: IncomingRequestHandler = async (method) => {
  throw methodNotFound(method)
}
