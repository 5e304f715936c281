export type { ModelToolsOptions } from './adapters/model-surface.ts'
export type { Clock } from './async/clock.ts'
export { type Bridge, openBridge } from './bridge.ts'
export type { ApplyOptions, BridgeOptions, FindToolOptions, WatchOptions } from './bridge-options.ts'
export type { BegunCall, CallOptions } from './call.ts'
export type { BridgeTool } from './catalog/bridge-tool.ts'
export type { ProfileName } from './catalog/profiles/profile.ts'
export type { InlineProgram, InlineRemote, InlineServers } from './config/read/inline-servers.ts'
export { type ConfigReading, type ReadConfigOptions, readConfig } from './config/read/read-config.ts'
export { localAuthority } from './config/resolve/resolve-spec.ts'
export type { Issue } from './config/spec/issue.ts'
export type { Authority, HttpServerSpec, ServerSpec, StdioServerSpec } from './config/spec/server-spec.ts'
export type {
  Answer,
  Answerer,
  ApprovalDecision,
  Question,
} from './elicitation/question.ts'
export type { EndedCall } from './ended-call.ts'
export type { QuestionPolicy } from './elicitation/question-policy.ts'
export {
  ConfigError,
  type ConfigErrorCode,
  DeniedError,
  type DeniedErrorCode,
  DestinationChangedError,
  UnknownToolError,
} from './errors.ts'
export {
  type ConfigFileOptions,
  type ConfigSource,
  configFile,
  type SourceReading,
  type WatchFile,
} from './fleet/config-source.ts'
export type { ApplyReport } from './fleet/change.ts'
export { type WatchSourceOptions, watchSource } from './fleet/watch-source.ts'
export type { BridgeEvent, Journal } from './journal/events/events.ts'
export type { Telemetry } from './journal/events/telemetry-port.ts'
export type { Origin } from './origin.ts'
export type { CallPermission } from './permission/permissions.ts'
export type { PermissionMode, PermissionRules } from './permission/rules/rules.ts'
export type {
  BridgePrompts,
  BridgeResources,
  ListOptions,
  ResourceSubscription,
  ServerItem,
  ServerRequestOptions,
} from './resources-and-prompts.ts'
export { toText } from '@toolbridge/client'
export type { ResultPolicy } from './results/result-policy.ts'
export type { ResultExcerpt, ResultRange, StoredResult } from './results/result-store.ts'
export type { BridgeResults, ReadResultOptions } from './results/results.ts'
export type { Sampler, SamplerOptions, SamplerResult, SamplingOptions } from './sampling.ts'
export type { BridgePins, PinOptions, ToolPin } from './tool-pins.ts'
export type { ServerObserver } from './upstream/connections/observed-connections.ts'
export type { BridgeConnection, BridgeMessage } from './upstream/connections/trace-messages.ts'
export type { RestartPolicy } from './upstream/restarts.ts'
export type { FailedReplacement, UpstreamStatus } from './upstream/upstream-state.ts'
