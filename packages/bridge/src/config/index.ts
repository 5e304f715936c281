/**
 * Server definitions: reading and writing them in every dialect, finding and merging configuration files, and trust in
 * entries of a project.
 */
export { CommandLineError } from './command-line/command-line-error.ts'
export { commandWords } from './command-line/command-words.ts'
export {
  type ExplainPastedOptions,
  explainPasted,
  type PastedExplanation,
} from './command-line/explain-pasted.ts'
export { type HostCommand, hostCommand, isHostCommand, isServerUrl } from './command-line/host-command.ts'
export { nameOfCommand, nameOfPackage, nameOfUrl } from './command-line/server-name.ts'
export { dialectTitle } from './dialects/all.ts'
export type { JsonValue } from './documents/json-value.ts'
export { type ConfigChange, type ConfigEdit, editConfig } from './edit/edit-config.ts'
export {
  type EditFileOptions,
  editConfigFile,
  type FileEdit,
  restoreConfigFile,
} from './edit/edit-config-file.ts'
export type { FieldOutcome } from './fields/field-rule.ts'
export {
  type ConfigExplanation,
  type ExplainedField,
  type ExplainedFact,
  type ExplainedPolicy,
  explainConfig,
} from './read/explain-config.ts'
export { type ConfigReading, type ReadConfigOptions, readConfig } from './read/read-config.ts'
export { readConfigText } from './read/read-config-text.ts'
export type { FieldPosition, StatePositions } from './read/state-positions.ts'
export { maskEntry, type ServerEntryObject } from './report/mask-entry.ts'
export { type ReportOptions, reportServers } from './report/report-servers.ts'
export type {
  EffectiveDefinition,
  EnvironmentReport,
  ProgramReport,
  ServerReport,
  ServerState,
  StateReason,
  VariableReport,
} from './report/server-report.ts'
export { answerVariables, askedVariables, type AskedVariable } from './resolve/answer-variables.ts'
export { fieldDestination } from './resolve/input-destination.ts'
export type { ResolveOptions } from './resolve/resolve-options.ts'
export { localAuthority, type Resolution, resolveSpec } from './resolve/resolve-spec.ts'
export { discoverConfigs } from './sources/discover-configs.ts'
export {
  type ConfigSearch,
  findConfigs,
  type SearchedLocation,
} from './sources/find-configs.ts'
export { connectableHosts, hostConfigFile } from './sources/host-config-file.ts'
export {
  type ConfigMerge,
  type MergedServer,
  type MergeSource,
  mergeConfigs,
  type RefusedServer,
  type ShadowedServer,
} from './sources/merge-configs.ts'
export type { DiscoveredConfig } from './sources/read-candidates.ts'
export { homeOf, type SearchOptions } from './sources/search-context.ts'
export type { InputDestination, InputRequest, InputSource, InputSpec } from './spec/input-spec.ts'
export type { Issue } from './spec/issue.ts'
export { mayUseOAuth } from './spec/may-use-oauth.ts'
export type { HostFacts } from './spec/host-facts.ts'
export type { Policy } from './spec/policy.ts'
export { reuseKey } from './spec/reuse-key.ts'
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
} from './spec/server-spec.ts'
export {
  entryHash,
  fileTrustStore,
  memoryTrustStore,
  needsTrust,
  type TrustStore,
} from './trust/trust-store.ts'
export type { UnwritableField } from './write/unwritable-fields.ts'
export {
  type ConfigWriting,
  type PolicyChange,
  type WriteConfigOptions,
  writeConfig,
  writtenDialects,
} from './write/write-config.ts'
