import {
  allowInsecureHttp,
  allowLoopback,
  McpAuthError,
  McpSsrfError,
  type UrlGuardOptions,
} from '@toolbridge/client/auth'
import { createAuthSend, isLoopbackHostname, parsedUrl, withoutEnding } from '@toolbridge/client/internal'
import { type Options, textOption } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { RegistryError } from './registry-error.ts'

/** The official MCP registry. */
export const officialRegistry = 'https://registry.modelcontextprotocol.io'

/** Version of the registry API, as in its OpenAPI document. */
const apiVersion = 'v0.1'

const timeoutMs = 20_000
const maxResponseBytes = 1024 * 1024

/** An MCP registry. */
export interface Registry {
  /** Its URL as a person named it, for messages. */
  readonly url: string
  /** Requests JSON below the API's base path; undefined if the registry responds with 404. Throws a {@link RegistryError}. */
  get(path: string, query?: Readonly<Record<string, string>>): Promise<unknown>
}

/**
 * The registry of `--registry`, else of `TOOLBRIDGE_REGISTRY`, else the official one. The variable is not read from `.env`: a
 * project must not choose where its servers are looked up.
 */
export function registryOf(options: Options, { env, signal }: Terminal): Registry {
  const named = textOption(options, 'registry') ?? env['TOOLBRIDGE_REGISTRY']
  const url = named === undefined || named === '' ? officialRegistry : named
  const base = baseOf(url)
  // The sender of OAuth requests has the guard: it checks every address, and limits size, time and redirects.
  const send = createAuthSend({ ...guardOf(base, url), timeoutMs, maxResponseBytes })
  return {
    url: withoutEnding(url, '/'),
    get: async (path, query = {}) => {
      const address = `${base.href}${path}${queryOf(query)}`
      const request = { method: 'GET', url: address, headers: { accept: 'application/json' } } as const
      const response = await send({ ...request, stage: 'server_metadata' }, { signal }).catch(
        (error: unknown) => {
          throw asRegistryError(error, base)
        },
      )
      return jsonOf(response, base)
    },
  }
}

/** The base of the API's paths: the URL, with the version of the API unless it names one. */
function baseOf(text: string): URL {
  const url = parsedUrl(text)
  const isHttp = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHostname(url.hostname))
  if (url === undefined || !isHttp || url.username !== '' || url.password !== '' || url.search !== '')
    throw new UsageError(
      'invalid registry: expected an https URL such as https://registry.example.com, without credentials and query (http only on this machine)',
    )
  const path = withoutEnding(url.pathname, '/')
  return new URL(`${path}${/\/v\d[\d.]*$/.test(path) ? '' : `/${apiVersion}`}/`, url.origin)
}

/** A registry that a person named may be in their own network. The official one is public. */
function guardOf({ hostname }: URL, named: string): UrlGuardOptions {
  if (named === officialRegistry) return {}
  return { [allowLoopback]: true, [allowInsecureHttp]: isLoopbackHostname(hostname) }
}

function queryOf(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

function jsonOf(
  { status, body }: { readonly status: number; readonly body: string },
  { host }: URL,
): unknown {
  if (status === 404) return undefined
  if (status !== 200) throw new RegistryError(`the registry ${host} responded with status ${status}`)
  try {
    return JSON.parse(body)
  } catch {
    throw new RegistryError(`the registry ${host} did not respond with JSON; check its address`)
  }
}

const failures: Readonly<Partial<Record<string, string>>> = {
  timeout: `did not respond within ${timeoutMs / 1000} s; try again later`,
  too_large: `responded with more than ${maxResponseBytes} bytes; check its address`,
  redirected: 'redirects to another address; if that is correct, name it with --registry',
  answer_malformed: 'responded in a content encoding that was not requested; check its address',
}

function asRegistryError(error: unknown, { host }: URL): unknown {
  if (error instanceof McpAuthError) {
    const failure = failures[error.code] ?? `cannot be reached: ${reasonOf(error)}`
    return new RegistryError(`the registry ${host} ${failure}`, { cause: error })
  }
  if (error instanceof McpSsrfError)
    return new RegistryError(`the registry ${host}: a request to ${error.url} was refused (${error.reason})`)
  return error
}

function reasonOf({ cause, message }: McpAuthError): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : message
}
