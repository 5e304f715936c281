/** Checks of a configuration and its servers in stages. */

export type { DiagnosedConfiguration, DiagnosedRules } from './doctor/configuration-stages.ts'
export type { DiagnosisContext, DiagnosisTimeouts } from './doctor/context.ts'
export { diagnose, type DiagnoseOptions } from './doctor/diagnose.ts'
export type { Finding, StageLocation, StageOutcome, StageResult, SuggestedEdit } from './doctor/result.ts'
export { type Stage, stages } from './doctor/stages.ts'
