import type { SpecTimeouts } from './server-spec.ts'

/** Timeouts of servers whose definition and bridge set none. */
export const defaultTimeouts: Required<SpecTimeouts> = { startMs: 30_000, callMs: 60_000 }
