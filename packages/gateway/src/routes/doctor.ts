import type { DoctorEvent } from '@toolbridge/api'
import type { StageResult } from '@toolbridge/bridge/doctor'
import type { Handler } from 'hono'
import { GatewayError, unknownServer } from '../errors/gateway-error.ts'
import { loggedBug, problemOf } from '../errors/problems.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { generatedStream } from '../http/generated-stream.ts'
import type { GatewayServices } from '../services.ts'

/**
 * `POST /api/servers/:name/doctor`: diagnoses a server of the caller in stages and streams what each found. Starts the server
 * once more, so each person has one diagnosis at a time. Ending the request ends the diagnosis.
 */
export function diagnoseServer({ owners, stopping, log }: GatewayServices): Handler<GatewayEnv> {
  const diagnosing = new Set<string>()
  return async (context) => {
    const { id, ended } = context.var.principal
    const name = context.req.param('name') ?? ''
    const owner = await owners.open(id)
    if (!owner.has(name)) throw unknownServer(name)
    if (diagnosing.has(id))
      throw new GatewayError('diagnosis_running', 'wait until your other diagnosis is done')
    diagnosing.add(id)
    return generatedStream([context.req.raw.signal, stopping, ended], async function* (signal) {
      try {
        yield* eventsOf(owner.diagnose(name, signal), log)
      } finally {
        diagnosing.delete(id)
      }
    })
  }
}

async function* eventsOf(
  results: AsyncIterable<StageResult>,
  log: (line: string) => void,
): AsyncGenerator<DoctorEvent, void> {
  const outcomes = new Set<string>()
  try {
    for await (const finding of results) {
      outcomes.add(finding.outcome)
      yield { type: 'finding', finding }
    }
    const outcome = (['error', 'warning'] as const).find((each) => outcomes.has(each)) ?? 'ok'
    yield { type: 'done', outcome }
  } catch (error) {
    yield { type: 'failed', problem: problemOf(error) ?? loggedBug(error, log) }
  }
}
