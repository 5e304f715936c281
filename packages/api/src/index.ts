export type { ActivityEntry, ActivityResponse } from './activity.ts'
export {
  type ConfigResponse,
  type HttpServerEntry,
  type KeptSecret,
  keptSecretSchema,
  type SaveConfigRequest,
  type SaveConfigResponse,
  type ServerEntry,
  type StdioServerEntry,
  saveConfigRequestSchema,
  serverEntrySchema,
} from './config.ts'
export type { GatewayEvent } from './events.ts'
export {
  type AnswerRequest,
  type AnswerResponse,
  type AnswerValue,
  type ApprovalDecision,
  answerRequestSchema,
  type InboxItem,
  type InboxResponse,
} from './inbox.ts'
export {
  type CreateKeyRequest,
  type CreateKeyResponse,
  createKeyRequestSchema,
  type KeyScope,
  type KeySummary,
  type KeysResponse,
  type RevokeKeyResponse,
} from './keys.ts'
export { paths } from './paths.ts'
export type { Problem, ProblemIssue } from './problem.ts'
export type {
  DefinitionReport,
  FailedReplacement,
  RestartResponse,
  ServerState,
  ServerStatus,
  ServersResponse,
} from './servers.ts'
export {
  type CodeSignInRequest,
  type IssuerSignInRequest,
  type IssuerSignInSettings,
  type SignInCodeResponse,
  type SignInOptionsResponse,
  type SignInRequest,
  type SignInResponse,
  type SignOutResponse,
  signInRequestSchema,
} from './sign-in.ts'
export {
  type CallToolRequest,
  type CallToolResponse,
  callToolRequestSchema,
  type ToolSummary,
  type ToolsResponse,
} from './tools.ts'
export {
  type NodeResult,
  type ToolNode,
  type WorkflowInvokeRequest,
  type WorkflowInvokeResponse,
  workflowInvokeRequestSchema,
} from './workflow.ts'
