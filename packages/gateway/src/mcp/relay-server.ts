import {
  type JSONRPCRequest,
  ProtocolError,
  type Result,
  Server,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Answerer } from '@toolbridge/bridge'
import type { DirectRequestOptions, DirectServer } from '@toolbridge/bridge/connections'
import { McpError, type Progress, type ServerDescription, type Tool } from '@toolbridge/client'
import { isJsonObject, linkedSignal } from '@toolbridge/client/internal'
import type { RunningCalls } from '../lifecycle/running-calls.ts'
import { relayedData } from '../reuse/relayed-error.ts'
import { type Admit, sendProgress } from './bridge-server.ts'
import { hostError } from './call-failure.ts'
import { elicit } from './eliciting-answerer.ts'

/** Options of one relay. */
export interface RelayServerOptions {
  readonly direct: DirectServer
  /** The requests that the session waits for when it ends. */
  readonly running: RunningCalls
  /** Admits a request and runs it. */
  readonly admit: Admit
  /** Aborted when the gateway stops. */
  readonly stopping: AbortSignal
  readonly log: (line: string) => void
}

/** Creates an MCP server that passes requests to a running server, and its questions to the caller. */
export function createRelayServer(options: RelayServerOptions): Server {
  const { serverInfo, capabilities, instructions } = options.direct.description
  const server = new Server(serverInfo, {
    capabilities: relayedCapabilities(capabilities),
    ...(instructions === undefined ? {} : { instructions }),
  })
  server.fallbackRequestHandler = (request, context) =>
    options.running.track(relay(server, options, request, context))
  return server
}

async function relay(
  server: Server,
  { direct, admit, stopping, log }: RelayServerOptions,
  request: JSONRPCRequest,
  context: ServerContext,
): Promise<Result> {
  const { signal: cancelled } = context.mcpReq
  using ended = linkedSignal(cancelled, stopping, context.http?.req?.signal)
  try {
    const options = {
      answerer: callerOf(server, context),
      signal: ended.signal,
      onProgress: (progress: Progress) => sendProgress(context, progress),
    }
    return await admit(() => send(direct, request, options))
  } catch (error) {
    cancelled.throwIfAborted()
    if (!(error instanceof McpError)) throw hostError(error, log)
    throw new ProtocolError(error.code, error.message, relayedData(error))
  }
}

/** The bridge has checked the shape of results. */
async function send(
  direct: DirectServer,
  { method, params = {} }: JSONRPCRequest,
  options: DirectRequestOptions,
): Promise<Result> {
  if (method === 'tools/list') return { tools: direct.tools.map(withoutExecution) }
  const { _meta, ...own } = params
  if (method !== 'tools/call') return (await direct.request(method, own, options)) as Result
  const { name, arguments: args } = own
  return { ...(await direct.callTool(String(name), isJsonObject(args) ? args : {}, options)) }
}

/** The relay runs no tasks: it waits for their results. */
function withoutExecution(tool: Tool): object {
  const { execution: _execution, ...listed } = tool as Tool & { readonly execution?: unknown }
  return listed
}

/** What a relay passes on: no notifications outside of requests. */
function relayedCapabilities(declared: ServerDescription['capabilities']): ServerCapabilities {
  const { tools, resources, prompts, completions } = declared
  return {
    ...(tools === undefined ? {} : { tools: {} }),
    ...(resources === undefined ? {} : { resources: {} }),
    ...(prompts === undefined ? {} : { prompts: {} }),
    ...(completions === undefined ? {} : { completions: {} }),
  }
}

/** Passes the questions of the server to the caller; nobody else answers them. */
function callerOf(server: Server, context: ServerContext): Answerer {
  const { elicitation } = server.getClientCapabilities() ?? {}
  return {
    async ask(question, { signal }) {
      const { message } = question
      try {
        if (question.kind === 'form' && elicitation !== undefined)
          return await elicit(context, { mode: 'form', message, requestedSchema: question.schema }, signal)
        if (question.kind === 'url' && elicitation?.url !== undefined)
          return await elicit(
            context,
            { mode: 'url', message, url: question.url, elicitationId: question.id },
            signal,
          )
      } catch (error) {
        if (signal.aborted) throw error
        return { action: 'cancel' }
      }
      return { action: 'decline' }
    },
  }
}
