import { type AgentOptions, type Model, modelSampler, openModel } from '@toolbridge/agent'
import type { Bridge, PermissionRules, SamplingOptions, ServerSpec } from '@toolbridge/bridge'
import type { CodeRunner } from '@toolbridge/bridge/code'
import { type Invocation, textOption, textOptions } from '../command.ts'
import { loadConfiguration, requireConfiguration } from '../configuration.ts'
import { messagesFrom } from '../messages.ts'
import { effectivePermissions } from '../permissions/effective-permissions.ts'
import { mayReuse } from '../reused-servers.ts'
import { approving } from '../servers/approvals.ts'
import { findTool, nearestTool } from '../servers/find-tool.ts'
import { reportFailures, requireServer } from '../servers/selected-servers.ts'
import { keyboardOf, openTerminalBridge } from '../terminal-bridge.ts'
import { timeoutsFrom } from '../timeouts.ts'
import { UsageError } from '../usage-error.ts'

/** A model with the tools of the configured servers, for the user at this terminal. */
export interface AgentSession extends AsyncDisposable {
  readonly model: Model
  readonly bridge: Bridge
  readonly rules: PermissionRules
  /** Options of every run. */
  readonly runOptions: Omit<AgentOptions, 'messages' | 'model'>
}

/** Opens the model first: without its key no server is started. `onAsk` is called before the user is asked something. */
export async function openAgentSession(
  invocation: Invocation,
  onAsk: () => void = () => {},
): Promise<AgentSession> {
  const { options, terminal } = invocation
  const limits = limitsFrom(invocation)
  const model = await modelFrom(invocation)
  const { servers, files } = await chosenServers(invocation)
  const { rules } = await effectivePermissions(terminal, options, files, 'ask')
  const keyboard = keyboardOf(terminal, onAsk)
  const bridge = await openTerminalBridge(terminal, servers, {
    startAs: timeoutsFrom(options),
    keyboard,
    messages: messagesFrom(options),
    permissions: rules,
    mayReuse: mayReuse(options),
    beforePrint: onAsk,
    sampling: samplingFrom(invocation, servers, model),
  })
  reportFailures(bridge.status(), terminal)
  const runner = options['code'] === true ? await codeRunner() : undefined
  return {
    model,
    bridge,
    rules,
    runOptions: {
      ...limits,
      ...selectionFrom(invocation, bridge),
      ...(options['yes'] === true ? { answerer: approving(keyboard) } : {}),
      ...(runner === undefined ? {} : { code: { runner } }),
      bridge,
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([bridge.close(), runner?.close()])
    },
  }
}

/** The model that the command line or `TOOLBRIDGE_MODEL` names. */
export function modelFrom({ options, terminal }: Invocation, named?: string): Promise<Model> {
  const { env } = terminal
  const name = named ?? textOption(options, 'model') ?? env['TOOLBRIDGE_MODEL'] ?? ''
  if (name === '')
    throw new UsageError(
      'missing model. Use --model <provider/model>, such as openai/gpt-5 or compatible/llama3.2, or set TOOLBRIDGE_MODEL',
    )
  const baseUrl = textOption(options, 'base-url')
  return openModel(name, { env, ...(baseUrl === undefined ? {} : { baseUrl }) })
}

/** The servers of the configuration, or those named with `--server`. None without a configuration. */
async function chosenServers({
  options,
  terminal,
}: Invocation): Promise<{ readonly servers: readonly ServerSpec[]; readonly files: readonly string[] }> {
  const names = [...new Set(textOptions(options, 'server'))]
  const found = await loadConfiguration(terminal, options)
  if (found === undefined && names.length === 0 && textOptions(options, 'tool').length === 0)
    return { servers: [], files: [] }
  return requireConfiguration(terminal, options, (servers) =>
    names.length === 0 ? servers : names.map((name) => requireServer(servers, name)),
  )
}

function samplingFrom(
  { options }: Invocation,
  servers: readonly ServerSpec[],
  model: Model,
): SamplingOptions | undefined {
  const names = textOptions(options, 'sampling').map((name) => requireServer(servers, name).name)
  return names.length === 0 ? undefined : { sampler: modelSampler(model), servers: names, offersTools: true }
}

function limitsFrom({ options }: Invocation): Pick<AgentOptions, 'maxSteps' | 'maxTokens' | 'system'> {
  const maxSteps = countOption(textOption(options, 'max-turns'), 'max-turns')
  const maxTokens = countOption(textOption(options, 'max-tokens'), 'max-tokens')
  const system = textOption(options, 'system')
  return {
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(system === undefined ? {} : { system }),
  }
}

function countOption(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 1)
    throw new UsageError(`invalid --${name} "${text}": expected a whole number of at least 1`)
  return count
}

function selectionFrom({ options }: Invocation, bridge: Bridge): Pick<AgentOptions, 'only'> {
  const names = textOptions(options, 'tool')
  return names.length === 0 ? {} : { only: names.map((name) => requireTool(bridge, name)) }
}

/** Imported here: most commands run no code. */
async function codeRunner(): Promise<CodeRunner> {
  const { createCodeRunner } = await import('@toolbridge/bridge/code')
  return createCodeRunner()
}

function requireTool(bridge: Bridge, name: string): string {
  const tool = findTool(bridge.tools, name)
  if (tool !== undefined) return tool.name
  const nearest = nearestTool(bridge.tools, name)
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  throw new UsageError(`unknown tool "${name}".${hint} See: toolbridge tools`)
}
