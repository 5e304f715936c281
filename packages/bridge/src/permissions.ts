/** Permission rules, dry runs, and the stores of grants and pins. */

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
export {
  type CallToExplain,
  explainPermission,
  type PermissionExplanation,
} from './permission/explain-permission.ts'
export {
  type PermissionsReading,
  type ReadPermissionsOptions,
  readPermissions,
  type RulePosition,
  type RulePositions,
} from './permission/files/read-permissions.ts'
export { permissionFilesBeside } from './permission/files/permission-files.ts'
export { describeRules, type RuleDescription } from './permission/rules/describe-rules.ts'
export { checkPermissions } from './permission/rules/check-permissions.ts'
export {
  callsInJournal,
  describeDryRun,
  type DryRun,
  dryRun,
  dryRunInTurns,
  type PastCall,
  type VerdictChange,
} from './permission/rules/dry-run.ts'
export type { Mismatch, PermissionStep } from './permission/rules/explain-rules.ts'
export type { AnnotationName, ArgumentCondition, PermissionRule } from './permission/rules/rules.ts'
