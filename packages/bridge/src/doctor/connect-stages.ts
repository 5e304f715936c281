import { McpError } from '@toolbridge/client'
import { LATEST_MODERN_VERSION } from '@toolbridge/client/internal'
import { messageOf } from '../text/message-of.ts'
import { isUnauthorized } from '../upstream/upstream-state.ts'
import { authorized, unauthorized } from './authorization-stage.ts'
import { failure, fine, warning } from './findings.ts'
import { httpFailure } from './http-failure.ts'
import type { Probe } from './probe.ts'
import { processFailure, type StagedFinding } from './process-failure.ts'
import type { Finding } from './result.ts'
import type { Stage } from './stages.ts'
import { secureConnection } from './tls-facts.ts'

/** The stages of a connection, in order. */
const connectStages: readonly Stage[] = ['spawn', 'first-byte', 'era', 'authorization']

/**
 * Connects to a server. Returns the findings of the stages that passed, and that of the stage that failed as the last one.
 * The handshake shows the era, so a refusal for missing credentials comes without one.
 */
export async function connectStagesOf(probe: Probe): Promise<readonly StagedFinding[]> {
  try {
    await probe.connect()
  } catch (error) {
    probe.context.signal?.throwIfAborted()
    const failed = await failedStage(error, probe)
    const reached = connectStages.slice(
      0,
      connectStages.findIndex((stage) => stage === failed.stage),
    )
    const passed = reached.filter((stage) => stage !== 'era')
    return [...passed.map((stage) => ({ stage, finding: reachedFinding(stage, probe) })), failed]
  }
  return [
    ...(await spawnFindings(probe)).map((finding) => ({ stage: 'spawn' as const, finding })),
    { stage: 'first-byte', finding: firstByte(probe) },
    { stage: 'era', finding: era(probe) },
    { stage: 'authorization', finding: authorized(probe) },
  ]
}

function reachedFinding(stage: Stage, { spec, observation }: Probe): Finding {
  if (stage === 'spawn')
    return fine(spec.transport === 'stdio' ? 'the program starts' : 'the server is reached')
  const { firstByteMs } = observation
  return fine('the server answers', firstByteMs === undefined ? {} : { firstByteMs })
}

async function spawnFindings(probe: Probe): Promise<readonly Finding[]> {
  const { spec, process: program, observation } = probe
  if (spec.transport === 'stdio') {
    const { startedInMs } = observation
    const pid = program?.pid
    return [
      fine('the program starts', {
        ...(pid === undefined ? {} : { pid }),
        ...(startedInMs === undefined ? {} : { startedInMs }),
      }),
    ]
  }
  return [await secureConnection(spec.url, probe.context.signal)]
}

function firstByte({ observation, process: program }: Probe): Finding {
  const { firstByteMs = 0 } = observation
  const { badLines = 0, firstBadLine = '' } = program?.diagnostics ?? {}
  if (badLines === 0) return fine(`the first message came after ${firstByteMs} ms`, { firstByteMs })
  return warning('stdout_text', textOnStdout(badLines, firstBadLine), toStderr, {
    facts: { firstByteMs, badLines },
  })
}

const toStderr =
  'write logs to the standard error instead: console.error in Node, print(…, file=sys.stderr) in Python, or an option such as --quiet'

function textOnStdout(count: number, first: string): string {
  const lines = count === 1 ? 'a line that is no message' : `${count} lines that are no messages`
  return `the program writes ${lines} to its standard output: ${first}`
}

function era({ description, authorization, spec, connectedInMs }: Probe): Finding {
  const { protocolVersion, serverInfo } = description
  const { name, version, title } = serverInfo
  const isModern = protocolVersion === LATEST_MODERN_VERSION
  const session = spec.transport === 'stdio' ? {} : { session: authorization.hasSession }
  return fine(`revision ${protocolVersion}, spoken by ${name} ${version}`, {
    protocolVersion,
    era: isModern ? 'modern' : 'legacy',
    serverInfo: { name, version, ...(title === undefined ? {} : { title }) },
    connectedInMs,
    ...session,
  })
}

async function failedStage(error: unknown, probe: Probe): Promise<StagedFinding> {
  const { spec, process: program } = probe
  const stderr = program?.stderrTail ?? []
  if (spec.transport !== 'stdio' && isUnauthorized(error))
    return { stage: 'authorization', finding: await unauthorized(error, spec.url, probe) }
  if (!(error instanceof McpError))
    return {
      stage: 'spawn',
      finding: failure('address_refused', messageOf(error), 'use an address that may be opened'),
    }
  const specific =
    spec.transport === 'stdio'
      ? processFailure(error, spec, stderr)
      : await httpFailure(error, spec.url, probe)
  const staged = specific ?? handshakeFailure(error, probe)
  return { ...staged, finding: withTextOnStdout(withStderr(staged.finding, stderr), probe) }
}

function withStderr(finding: Finding, stderr: readonly string[]): Finding {
  return finding.stderr !== undefined || stderr.length === 0 ? finding : { ...finding, stderr }
}

/** Text on stdout often explains why nothing else came. */
function withTextOnStdout(finding: Finding, { process: program }: Probe): Finding {
  const { badLines = 0, firstBadLine = '' } = program?.diagnostics ?? {}
  if (badLines === 0) return finding
  return { ...finding, seen: `${finding.seen}; ${textOnStdout(badLines, firstBadLine)}` }
}

function handshakeFailure(error: McpError, probe: Probe): StagedFinding {
  switch (error.kind) {
    case 'timeout':
      return silence(probe)
    case 'unsupported':
      return {
        stage: 'era',
        finding: failure('version_unsupported', error.message, 'update the server, or Toolbridge'),
      }
    case 'malformed':
      return { stage: 'era', finding: failure('handshake_invalid', error.message, reportIt) }
    case 'peer':
      return {
        stage: 'era',
        finding: failure(
          'initialize_refused',
          `the server refuses the handshake: ${error.message}`,
          reportIt,
        ),
      }
    case 'closed':
    case 'unauthorized':
    case 'unreachable':
      return { stage: 'era', finding: failure('connection_lost', error.message, reportIt) }
  }
}

const reportIt = 'look at the log of the server, and report it to its author'

function silence({ observation, startMs, spec }: Probe): StagedFinding {
  const longer = `or give it more time: "timeouts": { "startMs": ${startMs * 4} }`
  const edit = { edit: { kind: 'startMs' as const, value: startMs * 4 } }
  if (observation.firstByteMs !== undefined) {
    const seen = `the server does not answer the handshake within ${startMs} ms`
    return { stage: 'era', finding: failure('initialize_timeout', seen, `check its log, ${longer}`, edit) }
  }
  const check =
    spec.transport === 'stdio'
      ? 'check that "args" make it an MCP server over stdio'
      : 'check that the server runs'
  const seen = `the server sends nothing within ${startMs} ms`
  return { stage: 'first-byte', finding: failure('silent_start', seen, `${check}, ${longer}`, edit) }
}
