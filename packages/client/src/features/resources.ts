import { isJsonObject } from '../jsonrpc/json.ts'
import { malformedError } from '../jsonrpc/jsonrpc.ts'
import type { ReadResourceResult, Resource, ResourceTemplate } from '../model/resource.ts'
import type { RequestOptions } from '../jsonrpc/transport.ts'
import { requireCapability } from './capabilities.ts'
import type { PagedList } from './pages.ts'
import type { Requester } from './requester.ts'

const RESOURCES: PagedList<Resource> = {
  method: 'resources/list',
  key: 'resources',
  what: 'resources',
  isItem: isResource,
}

const TEMPLATES: PagedList<ResourceTemplate> = {
  method: 'resources/templates/list',
  key: 'resourceTemplates',
  what: 'resource templates',
  isItem: isTemplate,
}

/** Lists all resources. Resources that are not listed may be readable too. */
export async function listResources(
  requester: Requester,
  options?: RequestOptions,
): Promise<readonly Resource[]> {
  requireCapability(requester.server, 'resources')
  return requester.list(RESOURCES, options)
}

/** Lists all resource templates. */
export async function listResourceTemplates(
  requester: Requester,
  options?: RequestOptions,
): Promise<readonly ResourceTemplate[]> {
  requireCapability(requester.server, 'resources')
  return requester.list(TEMPLATES, options)
}

/** Reads a resource. `isResourceNotFound` recognizes the error for a missing one. */
export async function readResource(
  requester: Requester,
  uri: string,
  options?: RequestOptions,
): Promise<ReadResourceResult> {
  requireCapability(requester.server, 'resources')
  const result = await requester.request('resources/read', { uri }, options)
  if (isReadResult(result)) return result
  throw malformedError('invalid answer to resources/read: no valid list of contents')
}

/** Subscribes to changes of a resource. */
export async function subscribeResource(
  requester: Requester,
  uri: string,
  options?: RequestOptions,
): Promise<void> {
  requireCapability(requester.server, 'resources.subscribe', 'subscriptions to resources')
  await requester.request('resources/subscribe', { uri }, options)
}

/** Ends a subscription made by `subscribeResource`. */
export async function unsubscribeResource(
  requester: Requester,
  uri: string,
  options?: RequestOptions,
): Promise<void> {
  requireCapability(requester.server, 'resources.subscribe', 'subscriptions to resources')
  await requester.request('resources/unsubscribe', { uri }, options)
}

function isResource(value: unknown): value is Resource {
  return isJsonObject(value) && typeof value['uri'] === 'string' && typeof value['name'] === 'string'
}

function isTemplate(value: unknown): value is ResourceTemplate {
  return isJsonObject(value) && typeof value['uriTemplate'] === 'string' && typeof value['name'] === 'string'
}

function isReadResult(value: unknown): value is ReadResourceResult {
  const contents = isJsonObject(value) ? value['contents'] : undefined
  return Array.isArray(contents) && contents.every(isContents)
}

function isContents(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value['uri'] !== 'string') return false
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string'
}
