import {
  type ElicitationHandler,
  McpClient,
  type McpClientOptions,
  McpError,
  type RequestOptions,
  samplingRejected,
} from '@toolbridge/client'
import type { JsonObject } from '@toolbridge/client/internal'
import { defaultTimeouts } from '../config/spec/default-timeouts.ts'
import type { ServerSpec } from '../config/spec/server-spec.ts'
import { redactedMessage } from '../journal/redaction/redacted-message.ts'
import type { PermissionRules } from '../permission/rules/rules.ts'
import { revisionOptions } from '../upstream/connections/launch.ts'
import type { Cassette, RecordedServer } from './cassette.ts'
import { differences, type Difference, ignoring } from './compare-values.ts'
import { type Exchange, exchangesOf, objectOf, type Outcome } from './exchanges.ts'
import { LiveQuestions } from './live-questions.ts'
import { type LiveServerOptions, liveServer } from './live-server.ts'
import { matches } from './match-params.ts'
import {
  declaredIn,
  descriptionIn,
  isRedacted,
  listedIn,
  type RecordedRequest,
  requestsOf,
} from './recorded-requests.ts'
import { repeatRefusal } from './repeat-refusal.ts'
import { recordedServer } from './replay-transport.ts'

/** Options of `findDrift`. */
export interface DriftOptions extends LiveServerOptions {
  /** The recorded server. Default: the only one of the cassette. */
  readonly server?: string
  /** Paths of results and definitions that may differ, such as `structuredContent.id`; `*` is any one part. Default: none. */
  readonly ignore?: readonly string[]
  /**
   * Requests that these rules deny or ask about are skipped. Default: all are allowed that the definition of the server
   * allows.
   */
  readonly permissions?: PermissionRules
  /**
   * Asked once before recorded calls are repeated, with the calls. They are skipped if it resolves with false. Default: they
   * are repeated.
   */
  readonly confirm?: (calls: readonly string[]) => Promise<boolean>
  /** Compares only what the server lists and says of itself; nothing is called. Default: false. */
  readonly listsOnly?: boolean
}

/** A difference between a cassette and the live server. */
export interface Drift {
  /** What the live server did with the subject. */
  readonly kind: 'added' | 'removed' | 'changed'
  /** The server, a tool, resource or prompt, or a request. */
  readonly subject: string
  /** What changed. Empty if something was added or removed. Without secrets. */
  readonly differences: readonly Difference[]
}

/** The comparison of a cassette with the live server. */
export interface DriftReport {
  /** Name of the server. */
  readonly server: string
  /** Number of lists and requests that were compared. */
  readonly compared: number
  /** Requests that could not be repeated, and why. */
  readonly skipped: readonly { readonly subject: string; readonly reason: string }[]
  /** Empty if the server behaves as recorded. */
  readonly drift: readonly Drift[]
}

/**
 * Sends the recorded requests to the live server, in their order, and compares the results. Calls have their effects again.
 * Questions of the server get the recorded answers. Rejects if the server cannot be reached.
 */
export async function findDrift(
  cassette: Cassette,
  spec: ServerSpec,
  options: DriftOptions,
): Promise<DriftReport> {
  const comparison = new Comparison(recordedServer(cassette, options.server), options)
  return { server: spec.name, ...(await comparison.run(spec)) }
}

const lists = [
  { method: 'tools/list', field: 'tools', what: 'tool', key: 'name' },
  { method: 'prompts/list', field: 'prompts', what: 'prompt', key: 'name' },
  { method: 'resources/list', field: 'resources', what: 'resource', key: 'uri' },
  {
    method: 'resources/templates/list',
    field: 'resourceTemplates',
    what: 'resource template',
    key: 'uriTemplate',
  },
] as const

type List = (typeof lists)[number]

class Comparison {
  readonly #exchanges: readonly Exchange[]
  /** Capabilities of the recorded client. A server may list other tools for another client. */
  readonly #declared: JsonObject
  readonly #options: DriftOptions
  readonly #isIgnored: (path: string) => boolean
  readonly #drift: Drift[] = []
  readonly #skipped: { subject: string; reason: string }[] = []
  #compared = 0
  #redact = (text: string): string => text
  #questions: LiveQuestions | undefined
  #tools: ReadonlyMap<string, JsonObject> = new Map()

  constructor(recorded: RecordedServer, options: DriftOptions) {
    this.#exchanges = exchangesOf(recorded)
    this.#declared = declaredIn(recorded)
    this.#options = options
    this.#isIgnored = ignoring(options.ignore ?? [])
  }

  async run(spec: ServerSpec): Promise<Omit<DriftReport, 'server'>> {
    const { transport, redaction, policy } = await liveServer(spec, this.#options)
    this.#redact = (text) => redaction.text(text)
    const { startMs = defaultTimeouts.startMs, callMs = defaultTimeouts.callMs } = spec.timeouts ?? {}
    const client = new McpClient(transport, {
      ...revisionOptions(policy),
      timeoutMs: callMs,
      ...this.#features(),
    })
    try {
      const description = await client.connect({ signal: this.#options.signal, timeoutMs: startMs })
      this.#compareDescription({ ...description })
      for (const list of lists) await this.#compareList(client, list)
      if (this.#options.listsOnly !== true) await this.#repeatAll(client, requestsOf(this.#exchanges), spec)
    } finally {
      await client.close()
    }
    return { compared: this.#compared, skipped: this.#skipped, drift: this.#drift }
  }

  /** Declares what the recorded client declared. Nobody is there to run a model or to share folders. */
  #features(): McpClientOptions {
    const { elicitation, sampling, roots } = this.#declared
    const offersUrls = objectOf(elicitation)['url'] !== undefined
    return {
      ...(elicitation === undefined
        ? {}
        : { onElicitation: (...asked) => this.#answer(...asked), offersUrls }),
      ...(sampling === undefined ? {} : { onSampling: () => Promise.reject(samplingRejected()) }),
      ...(roots === undefined ? {} : { roots: [] }),
    }
  }

  /** The name and version of the program may change without a change of what it does. */
  #compareDescription({ protocolVersion: live, capabilities, instructions }: JsonObject): void {
    const before = descriptionIn(this.#exchanges)
    const described = { capabilities: before['capabilities'], instructions: before['instructions'] }
    const found = differences(described, { capabilities, instructions }, this.#isIgnored)
    // A description of the modern era names several versions. A version looks like a date, which may differ.
    const recorded = before['protocolVersion'] ?? this.#modernVersion(before, live)
    const isOther = recorded !== live && !this.#isIgnored('protocolVersion')
    this.#note('server', [...(isOther ? [{ path: 'protocolVersion', recorded, live }] : []), ...found])
  }

  #modernVersion({ supportedVersions }: JsonObject, live: unknown): unknown {
    return Array.isArray(supportedVersions) && !supportedVersions.includes(live) ? supportedVersions[0] : live
  }

  async #compareList(client: McpClient, { method, field, what, key }: List): Promise<void> {
    const recorded = listedIn(this.#exchanges, method, field)
    if (recorded === undefined) return
    const live = await this.#listLive(client, method, field)
    if ('error' in live) return this.#compare(method, { [field]: `${recorded.length} items` }, live)
    const [before, now] = [byKey(recorded, key), byKey(live.items, key)]
    if (field === 'tools') this.#tools = now
    for (const [name, item] of before) {
      if (now.has(name)) this.#compare(`${what} ${name}`, item, now.get(name))
      else this.#drift.push({ kind: 'removed', subject: `${what} ${name}`, differences: [] })
    }
    for (const name of now.keys())
      if (!before.has(name)) this.#drift.push({ kind: 'added', subject: `${what} ${name}`, differences: [] })
    this.#compared += 1
  }

  async #listLive(
    client: McpClient,
    method: string,
    field: string,
  ): Promise<{ items: unknown[] } | { error: unknown }> {
    const items: unknown[] = []
    let cursor: unknown
    for (let page = 0; page < maxPages && (page === 0 || cursor !== undefined); page += 1) {
      const outcome = await this.#send(client, method, cursor === undefined ? {} : { cursor })
      if ('error' in outcome) return outcome
      const { [field]: found, nextCursor } = objectOf(outcome.result)
      items.push(...(Array.isArray(found) ? found : []))
      cursor = nextCursor
    }
    return { items }
  }

  async #repeatAll(client: McpClient, requests: readonly RecordedRequest[], spec: ServerSpec): Promise<void> {
    const permitted = await this.#permitted(requests, spec)
    const calls = permitted.filter(({ method }) => method === 'tools/call').map(({ subject }) => subject)
    const isConfirmed = calls.length === 0 || (await this.#options.confirm?.(calls)) !== false
    for (const request of permitted) {
      if (request.method === 'tools/call' && !isConfirmed) {
        this.#skipped.push({ subject: request.subject, reason: 'not confirmed' })
        continue
      }
      const alike = requests.filter(
        (each) => each.subject === request.subject && matches(each.params, request.params),
      )
      await this.#repeat(client, request, alike)
    }
  }

  /** The requests that can and may be repeated. A cassette may be of somebody else. */
  async #permitted(
    requests: readonly RecordedRequest[],
    server: ServerSpec,
  ): Promise<readonly RecordedRequest[]> {
    const { permissions = { mode: 'allow' }, principal = 'local', authority, signal } = this.#options
    const rules = { server, permissions, principal, authority, signal }
    const permitted: RecordedRequest[] = []
    for (const request of requests) {
      const reason = reasonToSkip(request) ?? (await repeatRefusal(request, rules, this.#tools))
      if (reason === undefined) permitted.push(request)
      else this.#skipped.push({ subject: request.subject, reason })
    }
    return permitted
  }

  /** What differs between recordings of the same request may differ from the live server too. */
  async #repeat(
    client: McpClient,
    request: RecordedRequest,
    alike: readonly RecordedRequest[],
  ): Promise<void> {
    const { subject, method, params, expected, questions } = request
    const asked = (this.#questions = new LiveQuestions(questions))
    const live = await this.#send(client, method, params)
    this.#compared += 1
    const recorded = comparable(expected)
    const varying = alike.flatMap((each) => differences(recorded, comparable(each.expected), () => false))
    const paths = new Set(varying.map(({ path }) => path))
    const found = differences(recorded, comparable(live), (path) => paths.has(path) || this.#isIgnored(path))
    this.#note(subject, [...found, ...asked.differences()])
  }

  async #answer(...[request]: Parameters<ElicitationHandler>): ReturnType<ElicitationHandler> {
    return this.#questions?.answer({ ...request }) ?? { action: 'cancel' }
  }

  async #send(client: McpClient, method: string, params: object): Promise<Outcome> {
    const options: RequestOptions = { signal: this.#options.signal }
    try {
      return { result: this.#redacted(await client.request(method, params, options)) }
    } catch (error) {
      if (!(error instanceof McpError) || error.kind !== 'peer') throw error
      return { error: this.#redacted({ code: error.code, message: error.message }) }
    }
  }

  #redacted(value: unknown): unknown {
    const { result }: { result?: unknown } = JSON.parse(redactedMessage({ result: value }, this.#redact))
    return result
  }

  #compare(subject: string, recorded: unknown, live: unknown): void {
    this.#note(subject, differences(recorded, live, this.#isIgnored))
  }

  #note(subject: string, found: readonly Difference[]): void {
    if (found.length > 0) this.#drift.push({ kind: 'changed', subject, differences: found })
  }
}

const maxPages = 1_000

function reasonToSkip({ params, questions }: RecordedRequest): string | undefined {
  if (isRedacted(params)) return 'its parameters are redacted'
  const other = questions.find(({ method }) => method !== 'elicitation/create')
  if (other !== undefined) return `the server asked for ${other.method}`
  return questions.some(({ answer }) => isRedacted(answer))
    ? 'the answers to its questions are redacted'
    : undefined
}

/** The part of an outcome that is compared. */
function comparable(outcome: Outcome): unknown {
  if ('error' in outcome) {
    const { code, message } = objectOf(outcome.error)
    return { error: { code, message } }
  }
  const { _meta, ...result } = objectOf(outcome.result)
  return result
}

function byKey(items: readonly unknown[], key: string): ReadonlyMap<string, JsonObject> {
  return new Map(
    items.map((item) => {
      const { _meta, ...definition } = objectOf(item)
      return [String(definition[key]), definition]
    }),
  )
}
