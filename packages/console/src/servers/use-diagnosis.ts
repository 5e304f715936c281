import type { DoctorEvent, DoctorFinding } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { useCallback, useEffect, useRef, useState } from 'react'

/** A diagnosis of a server, as far as it has come. */
export interface DiagnosisState {
  readonly kind: 'none' | 'running' | 'done' | 'stopped'
  readonly findings: readonly DoctorFinding[]
  /** Why the diagnosis itself failed, or null. */
  readonly error: Error | null
}

/** A diagnosis and what can be done with it. */
export interface Diagnosis extends DiagnosisState {
  /** Diagnoses a server from the start. The same function at each render. */
  readonly start: (server: string) => void
  /** Ends the diagnosis. What it found stays. */
  readonly stop: () => void
}

const nothing: DiagnosisState = { kind: 'none', findings: [], error: null }

/** Diagnoses servers, one at a time, and ends with the component. */
export function useDiagnosis(): Diagnosis {
  const gateway = useGateway()
  const [state, setState] = useState(nothing)
  const running = useRef<AbortController | undefined>(undefined)
  const stop = useCallback(() => running.current?.abort(), [])
  useEffect(() => stop, [stop])

  const start = useCallback(
    (server: string) => {
      running.current?.abort()
      const current = new AbortController()
      running.current = current
      const change = (changed: (before: DiagnosisState) => DiagnosisState): void => {
        if (running.current === current) setState(changed)
      }
      change(() => ({ ...nothing, kind: 'running' }))
      const events = gateway.diagnose(server, { signal: current.signal })
      follow(events, (event) => change((before) => after(before, event)))
        .catch((error: unknown) => change((before) => ({ ...before, error: causeOf(error, current.signal) })))
        .finally(() => change(ended))
    },
    [gateway],
  )
  return { ...state, start, stop }
}

async function follow(
  events: AsyncGenerator<DoctorEvent>,
  apply: (event: DoctorEvent) => void,
): Promise<void> {
  for await (const event of events) apply(event)
}

function after(before: DiagnosisState, event: DoctorEvent): DiagnosisState {
  switch (event.type) {
    case 'finding':
      return { ...before, findings: [...before.findings, event.finding] }
    case 'done':
      return { ...before, kind: 'done' }
    case 'failed':
      return { ...before, kind: 'stopped', error: new Error(event.problem.detail ?? event.problem.title) }
  }
}

function ended(before: DiagnosisState): DiagnosisState {
  return before.kind === 'running' ? { ...before, kind: 'stopped' } : before
}

/** Null if the diagnosis was stopped on purpose. */
function causeOf(error: unknown, { aborted }: AbortSignal): Error | null {
  if (aborted) return null
  return error instanceof Error ? error : new Error(String(error))
}
