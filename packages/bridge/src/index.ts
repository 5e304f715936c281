export { type Bridge, openBridge } from './bridge.ts'
export type { ApplyOptions, BridgeOptions, FindToolOptions, WatchOptions } from './bridge-options.ts'
export type { CallOptions } from './call.ts'
export type { ModelToolsOptions, SearchDeferral } from './adapters/model-surface.ts'
export type { BridgeTool } from './catalog/bridge-tool.ts'
export type { ProfileName } from './catalog/profiles/profile.ts'
export {
  findConfigFile,
  type FindConfigFileOptions,
  type FoundConfigFile,
} from './config/sources/find-config-file.ts'
export {
  discoverConfigs,
  type DiscoveredConfig,
  type DiscoverOptions,
} from './config/sources/discover-configs.ts'
export { type ConfigChange, type ConfigEdit, editConfig } from './config/edit/edit-config.ts'
export { editConfigFile, type EditFileOptions, type FileEdit } from './config/edit/edit-config-file.ts'
export {
  type ConfigExplanation,
  explainConfig,
  type ExplainedField,
  type ExplainedPolicy,
} from './config/read/explain-config.ts'
export { readConfigText } from './config/read/read-config-text.ts'
export type { JsonValue } from './config/documents/json-value.ts'
export type { FieldOutcome } from './config/fields/field-rule.ts'
export type { InputRequest, InputSource, InputSpec } from './config/spec/input-spec.ts'
export type { Issue } from './config/spec/issue.ts'
export type { UnwritableField } from './config/write/unwritable-fields.ts'
export {
  type ConfigMerge,
  mergeConfigs,
  type MergedServer,
  type MergeSource,
  type ShadowedServer,
} from './config/sources/merge-configs.ts'
export { defaultPolicy, type Policy } from './config/spec/policy.ts'
export { type ConfigReading, readConfig, type ReadConfigOptions } from './config/read/read-config.ts'
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
  writeConfig,
  type WriteConfigOptions,
  writtenDialects,
} from './config/write/write-config.ts'
export type { QuestionPolicy } from './elicitation/question-policy.ts'
export type {
  Answer,
  Answerer,
  ApprovalDecision,
  ApprovalQuestion,
  ConsentQuestion,
  FormQuestion,
  InputQuestion,
  Question,
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
export type { BridgeEvent, Journal, UpstreamStateName } from './journal/events/events.ts'
export type { Telemetry } from './journal/events/telemetry-port.ts'
export type {
  BridgePrompts,
  BridgeResources,
  ListOptions,
  ServerItem,
  ServerRequestOptions,
} from './resources-and-prompts.ts'
export type { PermissionMode, PermissionRules } from './permission/rules/rules.ts'
export type { Sampler, SamplerOptions, SamplerResult, SamplingOptions } from './sampling.ts'
export { toText } from './results/result-parts.ts'
export type { ResultPolicy } from './results/result-policy.ts'
export type { ResultExcerpt, ResultRange, StoredResult } from './results/result-store.ts'
export type { BridgeResults, ReadResultOptions } from './results/results.ts'
export type { Clock } from './async/clock.ts'
export type { ApplyReport } from './fleet/fleet.ts'
export type { RestartPolicy } from './upstream/restarts.ts'
export {
  configFile,
  type ConfigFileOptions,
  type ConfigSource,
  type SourceReading,
  type WatchFile,
} from './fleet/config-source.ts'
export type { UpstreamStatus } from './upstream/upstream-state.ts'
