/** Speaks the Model Context Protocol to one server. Safe to load in a browser. */

export {
  type AgentTool,
  type AgentToolContext,
  type AgentToolOptions,
  mcpToolToAgentTool,
  type OutputValidator,
} from './agent-tool.ts'
export {
  type AuthorizationState,
  type CredentialsRequest,
  type McpResponseHead,
  type McpAuthorization,
  McpUnauthorizedError,
  type ReadHeader,
  type RefusedRequest,
} from './http/mcp-authorization.ts'
export { BaseJsonRpcTransport } from './jsonrpc/base-transport.ts'
export { McpClient } from './client.ts'
export type { ConnectOptions, McpClientOptions } from './client-options.ts'
export { type ConnectMcpOptions, connectMcp, type McpConnection } from './connect.ts'
export type {
  McpConnectEvent,
  McpErrorEvent,
  McpErrorPhase,
  McpHooks,
  McpToolCallEvent,
} from './features/hooks.ts'
export { isResourceNotFound } from './features/resource-errors.ts'
export {
  type ModelAnswer,
  type SamplingModel,
  samplingHandler,
  samplingRejected,
} from './server-requests/sampling-handler.ts'
export type { StartTaskOptions } from './features/tasks/task-shape.ts'
export {
  type JsonRpcErrorObject,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  McpError,
  McpErrorCode,
  type McpErrorKind,
  type McpErrorOptions,
  type RequestId,
} from './jsonrpc/jsonrpc.ts'
export type {
  ClientCapabilities,
  Implementation,
  ServerCapabilities,
  ServerDescription,
} from './model/capability.ts'
export type {
  Annotations,
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
} from './model/content.ts'
export type { CompleteRequest, Completion, CompletionReference } from './model/completion.ts'
export type {
  ElicitFormRequest,
  ElicitRequest,
  ElicitResult,
  ElicitUrlRequest,
  ElicitValue,
} from './model/elicitation.ts'
export type { LogLevel } from './model/logging.ts'
export type { GetPromptResult, Prompt, PromptArgument, PromptMessage } from './model/prompt.ts'
export type {
  BlobResourceContents,
  ReadResourceResult,
  Resource,
  ResourceContents,
  ResourceTemplate,
  TextResourceContents,
} from './model/resource.ts'
export type { Root, Roots } from './model/root.ts'
export type {
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
  SamplingResult,
  ToolResultContent,
  ToolUseContent,
} from './model/sampling.ts'
export type { Task, TaskStatus, ToolCallStart } from './model/task.ts'
export type {
  SubscribeOptions,
  Subscription,
  SubscriptionFilter,
  SubscriptionListener,
} from './revisions/subscription.ts'
export type { CallToolResult, JsonSchema, Tool, ToolAnnotations } from './model/tool.ts'
export type { ElicitationHandler, SamplingHandler } from './server-requests/server-request-handlers.ts'
export {
  type AgentMessage,
  type AgentToolResult,
  type Base64Source,
  type ContentPart,
  mcpContentToResult,
  mcpPromptToMessages,
} from './agent-content.ts'
export { toText } from './result-text.ts'
export { ResponseCache } from './revisions/response-cache.ts'
export type { EraCache, EraMode, EraVerdict } from './revisions/era.ts'
export type { McpHttpConfig, McpStdioConfig } from './transports/server-config.ts'
export type { AwaitTaskOptions } from './features/tasks/tasks.ts'
export { TASKS_EXTENSION } from './model/tasks-extension.ts'
export {
  type McpToolset,
  type McpToolsetFailure,
  type McpToolsetOptions,
  mcpToolset,
} from './toolset.ts'
export type {
  IncomingMcpHandlers,
  IncomingRequestContext,
  IncomingRequestHandler,
  McpTransport,
  Progress,
  RequestOptions,
  TraceContext,
  SentRequest,
} from './jsonrpc/transport.ts'
export { HttpTransport } from './transports/http/http-transport.ts'
export type { HttpTransportConfig } from './transports/http-transport-config.ts'
export {
  createMemoryPair,
  type MemoryServerEnd,
  MemoryTransport,
} from './transports/memory/memory-transport.ts'
export type { WebSocketConstructor } from './transports/websocket/open-websocket.ts'
