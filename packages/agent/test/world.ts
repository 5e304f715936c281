import {
  type AgentEvent,
  type AgentOptions,
  type AgentResult,
  type Model,
  type ModelMessage,
  modelSampler,
  openModel,
  runAgent,
} from '@toolbridge/agent'
import {
  type Bridge,
  type BridgeEvent,
  type BridgeOptions,
  openBridge,
  type SamplingOptions,
} from '@toolbridge/bridge'
import {
  type ModelShape,
  type ScriptedModel,
  scriptedModel,
  type ScriptedModelOptions,
} from '@toolbridge/testkit/models'
import { inMemory, linkInMemory } from '../../bridge/test/servers/in-memory.ts'
import { permissive } from '../../bridge/test/servers/specs.ts'
import { type LibraryServer, libraryServer } from './library-server.ts'

/** Wire formats that differ most. */
export const shapes: readonly ModelShape[] = ['openai', 'anthropic', 'google']

/** A scripted model, a bridge with servers in this process, and everything that they report. */
export interface World extends AsyncDisposable {
  readonly scripted: ScriptedModel
  readonly model: Model
  readonly bridge: Bridge
  readonly library: LibraryServer
  readonly events: readonly AgentEvent[]
  readonly journal: readonly BridgeEvent[]
  run(options?: Partial<AgentOptions>): Promise<AgentResult>
}

export interface WorldOptions extends Omit<Partial<BridgeOptions>, 'sampling' | 'journal'> {
  /** Default: openai. */
  readonly shape?: ModelShape
  /** Sampling, answered by the same model. Default: off. */
  readonly sampling?: Omit<SamplingOptions, 'sampler'>
}

export async function world(
  turns: ScriptedModelOptions['turns'],
  options: WorldOptions = {},
): Promise<World> {
  const { shape = 'openai', sampling, ...bridgeOptions } = options
  const scripted = await scriptedModel({ shape, turns })
  const model = await openModel(scripted.name, { env: scripted.env })
  const library = libraryServer()
  const events: AgentEvent[] = []
  const journal: BridgeEvent[] = []
  const servers = ['hello', 'elicit', 'gallery', 'worldly'] as const
  const bridge = await openBridge({
    ...permissive([...servers.map((name) => inMemory(name)), library.spec]),
    transportOf: (spec, ...rest) => library.transportOf(spec, ...rest) ?? linkInMemory(spec, ...rest),
    journal: (event) => journal.push(event),
    ...(sampling === undefined ? {} : { sampling: { ...sampling, sampler: modelSampler(model) } }),
    ...bridgeOptions,
  })
  return {
    scripted,
    model,
    bridge,
    library,
    events,
    journal,
    run: (run = {}) =>
      runAgent({
        model,
        bridge,
        messages: [said('Greet Ada.')],
        onEvent: (event) => events.push(event),
        ...run,
      }),
    [Symbol.asyncDispose]: async () => {
      await bridge.close()
      await scripted[Symbol.asyncDispose]()
    },
  }
}

/** A message of the user. */
export function said(content: string): ModelMessage {
  return { role: 'user', content }
}

/** A step in which the model makes one call. */
export function calling(
  tool: string,
  input: object | string = {},
): { calls: { tool: string; input: object | string }[] } {
  return { calls: [{ tool, input }] }
}

/** What the last request had to say about the calls so far. */
export function lastResults({ scripted }: Pick<World, 'scripted'>): readonly string[] {
  return scripted.requests.at(-1)?.results ?? []
}
