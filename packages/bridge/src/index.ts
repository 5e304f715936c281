export { type Bridge, openBridge } from './bridge.ts'
export type { ApplyOptions, BridgeOptions, FindToolOptions, WatchOptions } from './bridge-options.ts'
export type { CallOptions } from './call.ts'
export type { ModelToolsOptions, SearchDeferral } from './adapters/model-surface.ts'
export type { BridgeTool } from './catalog/bridge-tool.ts'
export { mayHaveTool } from './catalog/catalog.ts'
export type { LoweredTool, QuarantinedTool } from './catalog/lowering/lower-tool.ts'
export type { LoweringNote, NoteCode, QuarantineCode } from './catalog/schema/notes.ts'
export type { RestoredArguments } from './catalog/lowering/argument-restorer.ts'
export type { NamingPolicy } from './catalog/naming.ts'
export type { ProfileName } from './catalog/profiles/profile.ts'
export type { ToolMatch, ToolMatches } from './catalog/search/tool-index.ts'
export type { SearchToolsOptions } from './catalog/search/tool-search.ts'
export { estimateTokens } from './catalog/estimate-tokens.ts'
export type { ModelTool, ModelTools } from './catalog/tool-compiler.ts'
export {
  type FindConfigFileOptions,
  type FoundConfigFile,
  findConfigFile,
} from './config/sources/find-config-file.ts'
export {
  type DiscoveredConfig,
  type DiscoverOptions,
  discoverConfigs,
} from './config/sources/discover-configs.ts'
export { type ConfigChange, type ConfigEdit, editConfig } from './config/edit/edit-config.ts'
export { type EditFileOptions, editConfigFile, type FileEdit } from './config/edit/edit-config-file.ts'
export {
  type ConfigExplanation,
  type ExplainedField,
  type ExplainedPolicy,
  explainConfig,
} from './config/read/explain-config.ts'
export { readConfigText } from './config/read/read-config-text.ts'
export type { JsonValue } from './config/documents/json-value.ts'
export type { FieldOutcome } from './config/fields/field-rule.ts'
export type { InputRequest, InputSource, InputSpec } from './config/spec/input-spec.ts'
export type { Issue } from './config/spec/issue.ts'
export type { UnwritableField } from './config/write/unwritable-fields.ts'
export {
  type ConfigMerge,
  type MergedServer,
  type MergeSource,
  mergeConfigs,
  type ShadowedServer,
} from './config/sources/merge-configs.ts'
export { defaultPolicy, type Policy } from './config/spec/policy.ts'
export { type ConfigReading, type ReadConfigOptions, readConfig } from './config/read/read-config.ts'
export { localAuthority, type Resolution, resolveSpec } from './config/resolve/resolve-spec.ts'
export type { ResolveOptions } from './config/resolve/resolve-options.ts'
export type {
  ApprovalSpec,
  Authority,
  AuthSpec,
  ConfigScope,
  HeadersHelper,
  HttpServerSpec,
  ResolvedSpec,
  ServerSpec,
  SourceKind,
  SpecSource,
  SpecTimeouts,
  StdioServerSpec,
  ToolApproval,
  ToolFilter,
} from './config/spec/server-spec.ts'
export { specHash } from './config/spec/spec-hash.ts'
export {
  entryHash,
  fileTrustStore,
  memoryTrustStore,
  needsTrust,
  type TrustStore,
} from './config/trust/trust-store.ts'
export {
  type ConfigWriting,
  type PolicyChange,
  type WriteConfigOptions,
  writeConfig,
  writtenDialects,
} from './config/write/write-config.ts'
export {
  type EnteredContext,
  type ExecutionContext,
  type ExecutionContextInput,
  type ExecutionPrincipal,
  getExecutionContext,
  withExecutionContext,
} from './context/execution-context.ts'
export {
  type MCPToolkit,
  type MCPToolkitInput,
  type MCPToolkitMap,
  type MCPToolkitMapInput,
  type MCPToolkitTransport,
  type MCPTransportInput,
  type MCPTransportSpec,
  type MessageTransport,
  toolkitSpecs,
} from './context/toolkits/toolkits.ts'
export { type AnswerIssue, type CheckedAnswer, checkAnswer } from './elicitation/check-answer.ts'
export { type AnswerFunction, functionAnswerer } from './elicitation/answerers/function.ts'
export { askConsent, type ConsentRequest } from './elicitation/consent.ts'
export {
  type CredentialKey,
  type CredentialStore,
  memoryCredentialStore,
} from './elicitation/credential-store.ts'
export { type InputAnswersOptions, inputAnswers } from './elicitation/input-answers.ts'
export type { QuestionPolicy } from './elicitation/question-policy.ts'
export type {
  QuestionUrl,
  Answer,
  Answerer,
  ApprovalDecision,
  ApprovalQuestion,
  ConsentQuestion,
  FormQuestion,
  InputQuestion,
  Question,
  ShownArguments,
  UrlQuestion,
} from './elicitation/question.ts'
export type { Origin } from './origin.ts'
export {
  ConfigError,
  type ConfigErrorCode,
  DeniedError,
  type DeniedErrorCode,
  UnknownToolError,
} from './errors.ts'
export {
  createCounters,
  type McpCount,
  type McpCounter,
  type McpCounterName,
  type McpCounters,
  type McpCounterTags,
} from './journal/sinks/counters.ts'
export type {
  BridgeEvent,
  CallOutcome,
  EventFailure,
  Journal,
  UpstreamStateName,
} from './journal/events/events.ts'
export { hooksJournal } from './journal/sinks/hooks-journal.ts'
export { type JsonLinesOptions, type JsonLinesSink, jsonLinesSink } from './journal/sinks/json-lines-sink.ts'
export type { Telemetry } from './journal/events/telemetry-port.ts'
export type {
  ServerRequestOptions,
  BridgePrompts,
  BridgeResources,
  ListOptions,
  ServerItem,
} from './resources-and-prompts.ts'
export { checkPermissions } from './permission/rules/check-permissions.ts'
export {
  callsInJournal,
  type DryRun,
  describeDryRun,
  dryRun,
  type PastCall,
  type VerdictChange,
} from './permission/rules/dry-run.ts'
export {
  fileGrantStore,
  type Grant,
  type GrantStore,
  memoryGrantStore,
} from './permission/approvals/grant-store.ts'
export {
  filePinStore,
  memoryPinStore,
  type Pin,
  type PinKey,
  type PinnedDefinition,
  type PinStore,
} from './permission/pins/pins.ts'
export type {
  AnnotationName,
  ArgumentCondition,
  PermissionMode,
  PermissionRule,
  PermissionRules,
} from './permission/rules/rules.ts'
export type { Sampler, SamplerOptions, SamplerResult, SamplingOptions } from './sampling.ts'
export { toText } from './results/result-parts.ts'
export type { ResultPolicy } from './results/result-policy.ts'
export type { StoredResult, ResultExcerpt, ResultRange } from './results/result-store.ts'
export type { BridgeResults, ReadResultOptions } from './results/results.ts'
export type { Clock } from './async/clock.ts'
export type { ApplyReport } from './fleet/fleet.ts'
export type {
  Credential,
  CredentialsOf,
  MakeAuthorization,
  TransportOf,
} from './upstream/connections/open-connection.ts'
export type { ServerProcess, ServerProcessState } from './upstream/connections/processes.ts'
export {
  type ConnectionQuotas,
  createQuotas,
  type QuotaLease,
  type QuotaLimits,
  type QuotaRequest,
} from './upstream/limits/quotas.ts'
export type { RestartPolicy } from './upstream/restarts.ts'
export {
  type ConfigFileOptions,
  type ConfigSource,
  configFile,
  type SourceReading,
  type WatchFile,
} from './fleet/config-source.ts'
export type { UpstreamStatus } from './upstream/upstream-state.ts'
