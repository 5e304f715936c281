import { eachMember, type KnownFields, knownFields, type Shape, upTo } from './known-fields.ts'

/** A value of which the protocol defines no fields. */
const free: Shape = {}

/** A name or another identifier. */
const short = upTo(1_024)

/** An address. */
const uri = upTo(65_536)

const implementation: Shape = {
  name: short,
  title: short,
  version: short,
  description: free,
  websiteUrl: free,
  icons: free,
}

const capabilities: Shape = {
  experimental: free,
  extensions: free,
  roots: { listChanged: free },
  sampling: { context: free, tools: free },
  elicitation: { form: free, url: free },
  tasks: { list: free, cancel: free, requests: free },
}

const prefix = 'io.modelcontextprotocol/'

const meta: Shape = {
  progressToken: short,
  traceparent: free,
  tracestate: free,
  baggage: free,
  [`${prefix}protocolVersion`]: short,
  [`${prefix}clientInfo`]: implementation,
  [`${prefix}clientCapabilities`]: capabilities,
  [`${prefix}logLevel`]: short,
  [`${prefix}related-task`]: { taskId: short },
  [`${prefix}subscriptionId`]: short,
}

/** What a host or client answers to a question, to sampling and for its roots. */
const answer: Shape = {
  _meta: meta,
  action: short,
  content: free,
  role: short,
  model: free,
  stopReason: free,
  roots: { uri, name: short },
}

/** Of all methods together: no method has a parameter that differs from one of another in case only. */
const params: Shape = {
  _meta: meta,
  name: short,
  arguments: free,
  task: { ttl: free },
  taskId: short,
  inputResponses: eachMember(answer),
  requestState: free,
  uri,
  cursor: uri,
  level: short,
  ref: { type: short, name: short, uri },
  argument: { name: short, value: free },
  context: { arguments: free },
  notifications: free,
  protocolVersion: short,
  capabilities,
  clientInfo: implementation,
  requestId: short,
  reason: free,
  progressToken: short,
  progress: free,
  total: free,
  message: free,
  logger: free,
  data: free,
  mode: short,
  requestedSchema: free,
  url: uri,
  elicitationId: short,
  messages: { role: short, content: free },
  modelPreferences: { hints: free, costPriority: free, speedPriority: free, intelligencePriority: free },
  systemPrompt: free,
  includeContext: short,
  temperature: free,
  maxTokens: free,
  stopSequences: free,
  metadata: free,
  tools: free,
  toolChoice: { mode: short },
}

/** The fields of a JSON-RPC message, or of each in a batch. */
export const messageFields: KnownFields = knownFields({
  jsonrpc: short,
  id: short,
  method: short,
  params,
  result: answer,
  error: { code: free, message: free, data: free },
})
