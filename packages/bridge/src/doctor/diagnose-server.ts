import { shellWord } from '@toolbridge/client/internal'
import { namingOf } from '../catalog/naming.ts'
import { type ServerEntries, serverEntries } from '../catalog/server-entries.ts'
import { setPolicies } from '../config/spec/policy.ts'
import type { Issue } from '../config/spec/issue.ts'
import type { ResolvedSpec, ServerSpec } from '../config/spec/server-spec.ts'
import { entryHash, needsTrust } from '../config/trust/trust-store.ts'
import { checkProgram } from './binary-stage.ts'
import { closeStage, measureLatency } from './closing-stages.ts'
import { findingOf } from './configuration-stages.ts'
import { connectStagesOf } from './connect-stages.ts'
import type { RunningDiagnosis } from './context.ts'
import { failure, fine, skipped } from './findings.ts'
import { stageOfIssue } from './issue-codes.ts'
import { capabilities, listed, listTools } from './list-stages.ts'
import { masked } from './masked.ts'
import { Probe } from './probe.ts'
import type { Finding, StageResult } from './result.ts'
import { type Stage, stagesAfter } from './stages.ts'
import { countTokens, lintSchemas } from './tool-stages.ts'
import { resolveVariables } from './variables-stage.ts'

/** The tools of a server, for the stage `names`, which compares all servers. */
export interface DiagnosedTools {
  readonly entries: ServerEntries
  /** Removes the secrets of the definition from a text. */
  readonly mask: (text: string) => string
}

/** The results of one server as they come. Returns its tools. */
export type ServerDiagnosis = AsyncGenerator<StageResult, DiagnosedTools | undefined>

/** Runs the stages of one server, up to the first that fails. Whatever it starts has ended when it is done. */
export async function* diagnoseServer(
  spec: ServerSpec,
  issues: readonly Issue[],
  context: RunningDiagnosis,
): ServerDiagnosis {
  const { name } = spec
  for (const issue of issues) yield resultOf(name, stageOfIssue(issue.code), findingOf(issue))
  const unused = await unusedEntry(spec, context)
  if (unused !== undefined) return yield* ended(unused)
  const resolved = await resolveVariables(spec, context)
  for (const finding of resolved.findings) yield resultOf(name, 'variables', finding)
  yield resultOf(name, 'trust', fine(needsTrust(spec) ? 'the entry is trusted' : 'the entry is your own'))
  if (resolved.spec === undefined) return yield* ended(skipped(name, stagesAfter('trust'), 'not_reached'))
  return yield* diagnoseResolved(spec, resolved.spec, context)
}

function resultOf(server: string, stage: Stage, finding: Finding): StageResult {
  return { server, stage, ...finding }
}

/** The last results of a server without tools. */
async function* ended(results: readonly StageResult[]): ServerDiagnosis {
  yield* results
  return undefined
}

/** The results of an entry that is not to be used. Nothing of it is resolved: it may name files of the user. */
async function unusedEntry(
  spec: ServerSpec,
  context: RunningDiagnosis,
): Promise<readonly StageResult[] | undefined> {
  const { name } = spec
  if (!spec.enabled) return [resultOf(name, 'trust', disabled(spec))]
  if (await isTrusted(spec, context)) return undefined
  return [
    ...skipped(name, ['variables'], 'not_reached'),
    resultOf(name, 'trust', untrusted(spec)),
    ...skipped(name, stagesAfter('trust'), 'not_reached'),
  ]
}

async function* diagnoseResolved(
  written: ServerSpec,
  resolved: ResolvedSpec,
  context: RunningDiagnosis,
): ServerDiagnosis {
  const probe = new Probe(written, resolved, context)
  const stages = diagnoseProbe(probe)
  try {
    for (;;) {
      const next = await stages.next()
      if (next.done === true) return next.value
      yield masked(next.value, (text) => probe.mask(text))
    }
  } finally {
    await probe.close()
  }
}

async function* diagnoseProbe(probe: Probe): ServerDiagnosis {
  const { spec, context } = probe
  const { name } = spec
  const binary = await programFinding(probe)
  if (binary === undefined) yield* skipped(name, ['binary'], 'not_applicable')
  else yield resultOf(name, 'binary', binary)
  if (binary?.outcome === 'error') return yield* ended(skipped(name, stagesAfter('binary'), 'not_reached'))
  if (context.isActive === false) return yield* ended(skipped(name, stagesAfter('binary'), 'not_active'))
  const connected = await connectStagesOf(probe)
  for (const { stage, finding } of connected) yield resultOf(name, stage, finding)
  const failed = connected.find(({ finding }) => finding.outcome === 'error')?.stage
  if (failed === undefined) return yield* diagnoseTools(probe)
  // The handshake comes after the authorization.
  const missed = failed === 'authorization' ? (['era'] as const) : []
  return yield* ended(skipped(name, [...missed, ...stagesAfter(failed)], 'not_reached'))
}

async function programFinding({ spec, written, context }: Probe): Promise<Finding | undefined> {
  const { authority } = context
  if (spec.transport !== 'stdio' || authority.kind !== 'local') return undefined
  return checkProgram(spec, written, authority)
}

async function* diagnoseTools(probe: Probe): ServerDiagnosis {
  const { spec, context } = probe
  const { name } = spec
  yield resultOf(name, 'capabilities', capabilities(probe))
  const list = await listTools(probe)
  if ('problem' in list) {
    yield resultOf(name, 'list', list.problem)
    yield* skipped(name, ['schema', 'names', 'tokens', 'latency'], 'not_reached')
    yield resultOf(name, 'exit', await closeStage(probe))
    return undefined
  }
  const filter = { ...spec, policy: setPolicies(spec) }
  const known = serverEntries({ name, tools: list.tools, filter }, namingOf(filter.policy, {}))
  yield resultOf(name, 'list', listed(list.tools, known.entries.length))
  for (const finding of lintSchemas(known.entries, context.checks)) yield resultOf(name, 'schema', finding)
  yield resultOf(name, 'tokens', countTokens(known.entries))
  yield resultOf(name, 'latency', await measureLatency(probe, list.listMs))
  yield resultOf(name, 'exit', await closeStage(probe))
  return { entries: known, mask: (text) => probe.mask(text) }
}

async function isTrusted(spec: ServerSpec, { trust }: RunningDiagnosis): Promise<boolean> {
  if (!needsTrust(spec)) return true
  return (await trust?.isTrusted(entryHash(spec)).catch(() => false)) === true
}

function untrusted({ name, source: { file, pointer, line } }: ServerSpec): Finding {
  return failure(
    'untrusted',
    'its entry comes with the project and is not trusted',
    `check the entry, then run: toolbridge config trust ${shellWord(name)}`,
    { location: { file, path: pointer, ...(line === undefined ? {} : { line }) } },
  )
}

function disabled({ source: { file, pointer, line } }: ServerSpec): Finding {
  return {
    outcome: 'skipped',
    code: 'disabled',
    seen: 'the entry is disabled',
    fix: `to use it, enable it in ${file}`,
    location: { file, path: pointer, ...(line === undefined ? {} : { line }) },
  }
}
