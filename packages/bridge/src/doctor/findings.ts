import type { OwnCode } from './codes.ts'
import type { Finding, StageResult } from './result.ts'
import type { Stage } from './stages.ts'

type Details = Omit<Finding, 'outcome' | 'code' | 'seen' | 'fix'>

/** A stage without problems. */
export function fine(seen: string, facts?: Finding['facts']): Finding {
  return { outcome: 'ok', code: 'ok', seen, ...(facts === undefined ? {} : { facts }) }
}

/** A problem that prevents the use of the server. */
export function failure(code: OwnCode, seen: string, fix: string, details: Details = {}): Finding {
  return { outcome: 'error', code, seen, fix, ...details }
}

/** A problem that does not prevent the use of the server. */
export function warning(code: OwnCode, seen: string, fix: string, details: Details = {}): Finding {
  return { outcome: 'warning', code, seen, fix, ...details }
}

const reasons = {
  not_reached: 'an earlier stage failed',
  not_active: 'nothing is started',
  not_applicable: 'it does not apply to this transport',
} as const

/** Results for stages that were not run. */
export function skipped(
  server: string,
  stages: readonly Stage[],
  code: keyof typeof reasons,
): readonly StageResult[] {
  return stages.map((stage) => ({ server, stage, outcome: 'skipped', code, seen: reasons[code] }))
}
