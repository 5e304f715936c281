import { ModelError, type Model, openModel, runAgent } from '@toolbridge/agent'
import type { AgentNode, AgentNodeResult } from '@toolbridge/api'
import type { ProfileName } from '@toolbridge/bridge'
import type { UrlGuardOptions } from '@toolbridge/client/auth'
import { guardedFetch } from '@toolbridge/client/internal'
import type { ToolSet } from 'ai'
import { NodeFailure } from './node-failure.ts'

export interface AgentNodeOptions {
  /** Restricts the address of the model's API. */
  readonly guard: UrlGuardOptions
  /** Resolves with the tools of the node's toolkits. */
  readonly toolsFor: (profile: ProfileName) => Promise<ToolSet>
  readonly signal: AbortSignal
  /** API keys of the caller, by provider. */
  readonly apiKeys: Readonly<Record<string, string>>
}

/** Runs an agent node with the given API keys. Neither a key nor an address comes from this process. */
export async function runAgentNode(
  node: AgentNode,
  { guard, toolsFor, signal, apiKeys }: AgentNodeOptions,
): Promise<AgentNodeResult> {
  const { prompt, system, maxSteps } = node
  try {
    const model = await modelOf(node, apiKeys, guard)
    const { text, end, steps, usage } = await runAgent({
      model,
      tools: await toolsFor(model.profile),
      messages: [{ role: 'user', content: prompt }],
      signal,
      ...(system === undefined ? {} : { system }),
      ...(maxSteps === undefined ? {} : { maxSteps }),
    })
    return { text, end, steps, usage }
  } catch (error) {
    throw error instanceof ModelError ? failureOf(error, node) : error
  }
}

function modelOf(
  { model, baseUrl }: AgentNode,
  apiKeys: AgentNodeOptions['apiKeys'],
  guard: UrlGuardOptions,
): Promise<Model> {
  const provider = providerOf(model)
  const apiKey = Object.hasOwn(apiKeys, provider) ? apiKeys[provider] : undefined
  return openModel(model, {
    env: {},
    fetch: guardedFetch(guard),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  })
}

/** The messages of the library name variables of the environment, which are not used here. */
function failureOf({ code, message }: ModelError, { model, baseUrl }: AgentNode): NodeFailure {
  const provider = providerOf(model)
  if (code === 'no_key')
    return new NodeFailure('model_no_key', `no key for ${provider}: add "${provider}" to "apiKeys"`)
  if (code === 'invalid_model' && baseUrl === undefined && provider === 'compatible')
    return new NodeFailure('model_invalid_model', 'no address for compatible: add "baseUrl" to the node')
  return new NodeFailure(`model_${code}`, message)
}

function providerOf(model: string): string {
  return model.split('/', 1)[0] ?? ''
}
