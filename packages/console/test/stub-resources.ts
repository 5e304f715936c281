import type {
  CompleteArgumentRequest,
  GetPromptRequest,
  GetPromptResponse,
  PromptSummary,
  ReadResourceRequest,
  ReadResourceResponse,
  ResourcesResponse,
} from '@toolbridge/api'
import { paths } from '@toolbridge/api'

/** Resources and prompts of a stub gateway, which a test sets. */
export interface StubResources {
  resources: ResourcesResponse
  prompts: readonly PromptSummary[]
  read: (request: ReadResourceRequest) => ReadResourceResponse
  get: (request: GetPromptRequest) => GetPromptResponse
  complete: (request: CompleteArgumentRequest) => readonly string[]
  /** URIs that the page follows. */
  readonly followed: Set<string>
}

/** No resources and no prompts. */
export function emptyResources(): StubResources {
  return {
    resources: { resources: [], templates: [] },
    prompts: [],
    read: () => ({ contents: [] }),
    get: () => ({ messages: [] }),
    complete: () => [],
    followed: new Set(),
  }
}

/** Answers a request that concerns resources or prompts; undefined for any other. */
export function resourcesResponse(stub: StubResources, path: string, body: unknown): object | undefined {
  switch (path) {
    case paths.resources:
      return stub.resources
    case paths.prompts:
      return { prompts: stub.prompts }
    case paths.readResource:
      return stub.read(body as ReadResourceRequest)
    case paths.getPrompt:
      return stub.get(body as GetPromptRequest)
    case paths.complete:
      return { values: stub.complete(body as CompleteArgumentRequest) }
    case paths.subscribeResource:
      stub.followed.add((body as ReadResourceRequest).uri)
      return { expiresAt: new Date(Date.now() + 120_000).toISOString() }
    case paths.unsubscribeResource:
      stub.followed.delete((body as ReadResourceRequest).uri)
      return { success: true }
    default:
      return undefined
  }
}

/** Whether `resourcesResponse` answers requests to this path. */
export function isAboutLibrary(path: string): boolean {
  return [paths.resources, paths.prompts].some((each) => path.startsWith(each)) || path === paths.complete
}
