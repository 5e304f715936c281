import { type AgentEvent, type AgentOptions, type Model, modelSampler, openModel } from '@toolbridge/agent'
import type {
  Answer,
  Answerer,
  Bridge,
  BridgeTool,
  PermissionRules,
  Question,
  Sampler,
  SamplingOptions,
  ServerSpec,
} from '@toolbridge/bridge'
import type { CodeRunner } from '@toolbridge/bridge/code'
import { isJsonObject } from '@toolbridge/client/internal'
import { type Invocation, textOption, textOptions } from '../command.ts'
import { messagesFrom } from '../messages.ts'
import { effectivePermissions } from '../permissions/effective-permissions.ts'
import { mayReuse } from '../reused-servers.ts'
import { approving } from '../servers/approvals.ts'
import { chosenServers } from '../servers/chosen-servers.ts'
import { reportFailures, requireServer } from '../servers/selected-servers.ts'
import {
  keyboardOf,
  modelGrantsOf,
  openTerminalBridge,
  type TerminalBridgeOptions,
} from '../terminal-bridge.ts'
import type { Terminal } from '../terminal.ts'
import { timeoutsFrom } from '../timeouts.ts'
import { UsageError } from '../usage-error.ts'
import { chosenTools } from './chosen-tools.ts'
import { runOptionsFrom } from './run-options.ts'
import type { SessionOutput } from './session-output.ts'

type Call = Extract<AgentEvent, { readonly type: 'tool.called' }>

/** A model with the tools of the configured servers, for the user at this terminal. */
export interface AgentSession extends AsyncDisposable {
  readonly model: Model
  readonly bridge: Bridge
  readonly rules: PermissionRules
  /** The entries that were started, as they are written. */
  readonly servers: readonly ServerSpec[]
  /** Options of every run. */
  readonly runOptions: Omit<AgentOptions, 'messages' | 'model'>
  /** The tool of a server that the model called; undefined for a tool of Toolbridge itself. */
  toolOf(call: Call): BridgeTool | undefined
}

/** What a command that changes its session needs of it. */
export interface AgentSessionOptions extends Pick<TerminalBridgeOptions, 'definitions' | 'credentials'> {
  /** Called with each answer of the user. */
  readonly onAnswer?: (question: Question, answer: Answer) => void
  /** Answers sampling requests, for the model that the session begins with. Default: with that model. */
  readonly samplerOf?: (model: Model) => Sampler
}

/** What a session is opened with. */
interface SessionParts {
  readonly invocation: Invocation
  readonly model: Model
  readonly servers: readonly ServerSpec[]
  readonly rules: PermissionRules
  readonly keyboard: Answerer | undefined
  readonly output: SessionOutput
  readonly given: AgentSessionOptions
}

/** Opens the model first: without its key no server is started. `output` is paused while the user is asked something. */
export async function openAgentSession(
  invocation: Invocation,
  output: SessionOutput,
  given: AgentSessionOptions = {},
): Promise<AgentSession> {
  const { options, terminal } = invocation
  const runOptions = runOptionsFrom(invocation)
  const model = await modelFrom(invocation)
  const { servers, files } = await chosenServers(invocation)
  const { rules } = await effectivePermissions(terminal, options, files, 'ask')
  const keyboard = keyboardBeside(output, terminal, given.onAnswer)
  const parts = { invocation, model, servers, rules, keyboard, output, given }
  const bridge = await openBridgeWith(parts)
  try {
    return await sessionOf(parts, bridge, runOptions)
  } catch (error) {
    await bridge.close()
    throw error
  }
}

/** The model that the command line or `TOOLBRIDGE_MODEL` names. Keys are taken from the environment only. */
export async function modelFrom({ options, terminal: { env } }: Invocation, named?: string): Promise<Model> {
  const name = named ?? textOption(options, 'model') ?? env['TOOLBRIDGE_MODEL'] ?? ''
  if (name === '')
    throw new UsageError(
      'missing model. Use --model <provider/model>, such as openai/gpt-5 or compatible/llama3.2, or set TOOLBRIDGE_MODEL',
    )
  const baseUrl = textOption(options, 'base-url')
  return openModel(name, { env, ...(baseUrl === undefined ? {} : { baseUrl }) })
}

function keyboardBeside(
  output: SessionOutput,
  terminal: Terminal,
  onAnswer: AgentSessionOptions['onAnswer'] = () => {},
): Answerer | undefined {
  const keyboard = keyboardOf(terminal)
  if (keyboard === undefined) return undefined
  return {
    async ask(question, options) {
      const resume = output.pause()
      const answer = await keyboard.ask(question, options).finally(resume)
      onAnswer(question, answer)
      return answer
    },
  }
}

async function openBridgeWith(parts: SessionParts): Promise<Bridge> {
  const { invocation, servers, rules, keyboard, output, given } = parts
  const { options, terminal } = invocation
  const { definitions, credentials } = given
  const bridge = await openTerminalBridge(terminal, servers, {
    ...(definitions === undefined ? {} : { definitions }),
    ...(credentials === undefined ? {} : { credentials }),
    startAs: timeoutsFrom(options),
    keyboard,
    messages: messagesFrom(options),
    permissions: rules,
    grants: modelGrantsOf(terminal),
    mayReuse: mayReuse(options),
    beforePrint: () => output.endLine(),
    sampling: samplingFrom(parts),
  })
  reportFailures(bridge.status(), terminal)
  return bridge
}

function samplingFrom({ invocation, servers, model, given }: SessionParts): SamplingOptions | undefined {
  const names = textOptions(invocation.options, 'sampling')
  if (names.length === 0) return undefined
  const allowed = names.map((name) => requireServer(servers, name).name)
  const { samplerOf = modelSampler } = given
  return { sampler: samplerOf(model), servers: allowed, offersTools: true }
}

async function sessionOf(
  { invocation, model, servers, rules, keyboard }: SessionParts,
  bridge: Bridge,
  runOptions: Partial<AgentOptions>,
): Promise<AgentSession> {
  const { options } = invocation
  const only = chosenTools(options, bridge)
  const runner = options['code'] === true ? await codeRunner() : undefined
  return {
    model,
    bridge,
    rules,
    servers,
    runOptions: {
      ...runOptions,
      ...only,
      ...(servers.length === 0 ? {} : { bridge }),
      ...(options['yes'] === true ? { answerer: approving(keyboard) } : {}),
      ...(runner === undefined ? {} : { code: { runner } }),
    },
    toolOf: (call) => bridge.toolsFor(model.profile).find(call.tool)?.tool ?? deferredTool(bridge, call),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([bridge.close(), runner?.close()])
    },
  }
}

/** The tool that `call_tool` was called for. */
function deferredTool(bridge: Bridge, { tool, input }: Call): BridgeTool | undefined {
  const name = tool === 'call_tool' && isJsonObject(input) ? input['name'] : undefined
  return typeof name === 'string' ? bridge.tool(name) : undefined
}

/** Imported here: most commands run no code. */
async function codeRunner(): Promise<CodeRunner> {
  const { createCodeRunner } = await import('@toolbridge/bridge/code')
  return createCodeRunner()
}
