import { McpError } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import { messageOf } from '../text/message-of.ts'
import { fine, warning } from './findings.ts'
import type { Probe } from './probe.ts'
import type { Finding } from './result.ts'

const pings = 3

const defaultPingMs = 5_000

/** Measures the round trip and compares the start with its timeout. */
export async function measureLatency(probe: Probe, listMs: number): Promise<Finding> {
  const { connectedInMs, startMs, context } = probe
  const times: number[] = []
  for (let round = 0; round < pings; round++) {
    const startedAt = performance.now()
    const problem = await pingProblem(probe)
    context.signal?.throwIfAborted()
    if (problem !== undefined)
      return warning(
        'ping_failed',
        `the server does not answer a ping: ${problem}`,
        'report it to its author',
      )
    times.push(performance.now() - startedAt)
  }
  const pingMs = rounded(times.toSorted((a, b) => a - b)[1] ?? 0)
  const facts = { startMs: connectedInMs, listMs, pingMs }
  if (connectedInMs * 2 <= startMs)
    return fine(`start ${connectedInMs} ms, list ${listMs} ms, round trip ${pingMs} ms`, facts)
  const value = startMs * 2
  const seen = `the start took ${connectedInMs} ms of the ${startMs} ms that it may take`
  return warning('slow_start', seen, `give it more time: "timeouts": { "startMs": ${value} }`, {
    facts,
    edit: { kind: 'startMs', value },
  })
}

/** A server that refuses the method has answered. */
async function pingProblem({ client, context: { timeouts, signal } }: Probe): Promise<string | undefined> {
  const timeoutMs = timeouts?.pingMs ?? defaultPingMs
  try {
    await client.ping({ timeoutMs, ...(signal === undefined ? {} : { signal }) })
    return undefined
  } catch (error) {
    return error instanceof McpError && error.kind === 'peer' ? undefined : messageOf(error)
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** Closes the connection and reports how a program ended. */
export async function closeStage(probe: Probe): Promise<Finding> {
  const { observation, process: program } = probe
  await probe.close()
  if (program === undefined) return fine('the connection was closed')
  const left = observation.warnings.find(({ data }) => isJsonObject(data) && 'survivors' in data)
  if (left !== undefined)
    return warning(
      'processes_left',
      left.message,
      'stop them by hand, and report it to the author of the server',
    )
  const { exitCode = null, signal = null } = program.exitStatus ?? {}
  if (signal === 'SIGKILL') {
    const seen = 'the program ignores the end of its input and SIGTERM, and was killed'
    return warning('exit_killed', seen, 'ask its author to exit when its input ends, or on SIGTERM')
  }
  const how = signal === null ? `exits with code ${exitCode}` : `ends by ${signal}`
  return fine(`the program ${how} when its input ends`, { exitCode, signal })
}
