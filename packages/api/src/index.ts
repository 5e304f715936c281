export {
  type ActivityEntry,
  type ActivityOutcome,
  type ActivityQuery,
  type ActivityQuestion,
  type ActivityResponse,
  type ActivityTraceResponse,
  activityQuerySchema,
  type ShownJson,
} from './activity.ts'
export {
  type OwnAuditEntry,
  type OwnAuditQuery,
  type OwnAuditResponse,
  ownAuditQuerySchema,
} from './own-audit.ts'
export {
  type FinishServerSignInRequest,
  type FinishServerSignInResponse,
  finishServerSignInRequestSchema,
  type ServerSignInResponse,
  type ServerSignOutResponse,
} from './accounts.ts'
export {
  type ConfigResponse,
  type HttpServerEntry,
  type KeptSecret,
  keptSecretSchema,
  type SaveConditions,
  type SaveConfigRequest,
  type SaveConfigResponse,
  type ServerAuthEntry,
  type ServerEntry,
  type StdioServerEntry,
  saveConfigRequestSchema,
  serverEntrySchema,
} from './config.ts'
export type { CredentialsResponse, ServerAccount, StoredInput } from './credentials.ts'
export type { DoctorEdit, DoctorEvent, DoctorFinding } from './doctor.ts'
export type { DestinationChange } from './destination-change.ts'
export type { GatewayEvent } from './events.ts'
export {
  type ExplainedApproval,
  type ExplainedDefinition,
  type ExplainedField,
  type ExplainedIssue,
  type ExplainedReason,
  type ExplainedServer,
  type ExplainedVariable,
  type ExplainRequest,
  type ExplainResponse,
  explainRequestSchema,
} from './explain.ts'
export {
  type FoundFile,
  type FoundServer,
  type FoundServersResponse,
  type ImportedFoundServer,
  type ImportFoundRequest,
  importFoundRequestSchema,
} from './found.ts'
export {
  type ImportChoices,
  type ImportedServer,
  type ImportName,
  type ImportRequest,
  type ImportResponse,
  importRequestSchema,
} from './import.ts'
export {
  type AnswerRequest,
  type AnswerResponse,
  type AnswerValue,
  type ApprovalDecision,
  answerRequestSchema,
  type InboxItem,
  type InboxResponse,
  type RequestedInput,
  type RequestedPage,
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
export {
  type RotateRequest,
  type RotationEvent,
  type RotationResponse,
  type RotationStep,
  rotateRequestSchema,
  type StoreKeysResponse,
} from './store-keys.ts'
export {
  type ConnectedHost,
  type ConnectQuery,
  connectQuerySchema,
  type ConnectResponse,
  type HostGuide,
  type HostsResponse,
} from './hosts.ts'
export { paths } from './paths.ts'
export {
  type DescribeRulesRequest,
  type DescribeRulesResponse,
  describeRulesRequestSchema,
  type DryRunChange,
  type DryRunRequest,
  type DryRunResponse,
  dryRunRequestSchema,
  type GrantSummary,
  type GrantsResponse,
  type OwnRule,
  type OwnRuleCondition,
  type OwnRuleDescription,
  type OwnRules,
  ownRulesSchema,
  type PermissionsResponse,
  type PermissionTestStep,
  type PinSummary,
  type PinsResponse,
  type SavePermissionsRequest,
  type SavePermissionsResponse,
  savePermissionsRequestSchema,
  type TestPermissionRequest,
  type TestPermissionResponse,
  testPermissionRequestSchema,
} from './permissions.ts'
export type { Problem, ProblemIssue } from './problem.ts'
export {
  type CompleteArgumentRequest,
  type CompleteArgumentResponse,
  completeArgumentRequestSchema,
  type GetPromptRequest,
  type GetPromptResponse,
  getPromptRequestSchema,
  type PromptSummary,
  type PromptsResponse,
  type ReadResourceRequest,
  type ReadResourceResponse,
  readResourceRequestSchema,
  type ResourceSummary,
  type ResourcesResponse,
  type ResourceTemplateSummary,
  type SubscribeResourceResponse,
} from './resources.ts'
export type {
  ServerHistoryEntry,
  ServerLogEntries,
  ServerLogEvent,
  ServerMessage,
  ServerOutputLine,
} from './server-log.ts'
export {
  type ChangeServerRequest,
  changeServerRequestSchema,
  type DefinitionReport,
  type FailedReplacement,
  type RestartResponse,
  type SavedServerResponse,
  type SaveServerRequest,
  type ServerState,
  type ServerStatus,
  type ServersResponse,
  saveServerRequestSchema,
} from './servers.ts'
export {
  type CodeSignInRequest,
  type IssuerSignInRequest,
  type IssuerSignInSettings,
  type RemovePersonResponse,
  type SignInCodeResponse,
  type SignInOptionsResponse,
  type SignInRequest,
  type SignInResponse,
  type SignOutResponse,
  signInRequestSchema,
} from './sign-in.ts'
export {
  type CallLogMessage,
  type CallProgress,
  type StartCallResponse,
  type StartedCall,
  type StartedCallResponse,
  type StartedCallsResponse,
  type StartedCallState,
} from './started-calls.ts'
export {
  type CallToolRequest,
  type CallToolResponse,
  callToolRequestSchema,
  type ToolHints,
  type ToolSummary,
  type ToolsResponse,
} from './tools.ts'
export {
  type AgentNode,
  type AgentNodeResult,
  type NodeResult,
  type ToolNode,
  type WorkflowInvokeRequest,
  type WorkflowInvokeResponse,
  type WorkflowNode,
  workflowInvokeRequestSchema,
} from './workflow.ts'
export {
  type AuditProblemResponse,
  type AuditQuery,
  type AuditResponse,
  auditQuerySchema,
  type ValueProblemResponse,
  type VerificationRequest,
  type VerificationResponse,
  verificationRequestSchema,
} from './audit.ts'
export {
  type ConfigChange,
  type ConfigDiffResponse,
  type ConfigValueType,
  type ConfigVersion,
  type ConfigVersionsResponse,
  type RollbackRequest,
  rollbackRequestSchema,
} from './config-versions.ts'
