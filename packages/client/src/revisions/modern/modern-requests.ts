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

/** The parameter that a request is about, which HTTP repeats in a header. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** Sends single requests without a handshake: each says by itself which revision it speaks and who speaks it. */
export class ModernRequests {
  readonly #transport: McpTransport
  readonly #options: HostOptions
  readonly #capabilities: ClientCapabilities
  /** Loaded with the first tool that has its arguments repeated in headers. */
  #plans: ToolHeaderPlans | undefined
  #version: string
  #logLevel: LogLevel | undefined
  /** Made once: it is part of every request. */
  #meta: JsonObject
  /** The same with what a single request declared, for as long as the rest of it holds. */
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

  /** Each request from now on asks for what is at least as grave. */
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

  /** Sends a request as it is and checks the kind of its result. */
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

  /** A page of `tools/list` without the tools that cannot be called over this transport. */
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

  /** What the caller put there stays, except where it is the protocol's. */
  #metaOf({ _meta: given }: JsonObject, { capabilities }: RequestOptions): JsonObject {
    const meta = capabilities === undefined ? this.#meta : this.#metaOfRequest(capabilities)
    return isJsonObject(given) ? { ...given, ...meta } : meta
  }

  /** A host that says it with each request mostly says the same. */
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

  /** Speaks a revision that the server knows from now on; whether there is one. */
  adoptVersion(supported: readonly string[]): boolean {
    const { modern } = mutualVersions(supported)
    if (modern === undefined) return false
    this.#version = modern
    this.#meta = this.#metaWith(this.#capabilities)
    return true
  }
}

/** The server has no requests of its own that the handler could take; one is left to the connection, which drops it. */
function withoutHandler(options: RequestOptions, own: Wire): WireOptions {
  return options.onRequest === undefined
    ? { ...options, [wire]: own }
    : { ...options, onRequest: leaveIt, [wire]: own }
}

const leaveIt: IncomingRequestHandler = async (method) => {
  throw methodNotFound(method)
}
