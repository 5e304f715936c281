import { mergeGenerators } from '../async/merge-generators.ts'
import { createSchemaChecks } from '../catalog/schema/schema-checks.ts'
import type { ServerEntries } from '../catalog/server-entries.ts'
import { configurationResults, type DiagnosedConfiguration, entryIssues } from './configuration-stages.ts'
import type { DiagnosisContext } from './context.ts'
import { type DiagnosedTools, diagnoseServer } from './diagnose-server.ts'
import { masked } from './masked.ts'
import { nameStages } from './names-stage.ts'
import type { StageResult } from './result.ts'

/** Options of `diagnose`. */
export interface DiagnoseOptions extends DiagnosisContext {
  /** The configuration as it was read. */
  readonly configuration: DiagnosedConfiguration
}

/**
 * Checks a configuration and its servers in stages and yields what each stage found, as it happens. Servers are examined at the
 * same time, each up to the first stage that fails; the names of their tools are compared at the end. A stage without problems
 * has one result, any other one per problem. Results contain no secrets of the definitions. Everything that is started has ended
 * when the generator is done, also if the consumer stops early.
 *
 * @example
 * ```ts
 * import { localAuthority, readConfig } from '@toolbridge/bridge'
 * import { diagnose } from '@toolbridge/bridge/doctor'
 *
 * const configuration = readConfig('{ "mcpServers": { "odd": { "command": "no-such-program" } } }', { file: 'mcp.json' })
 * const failed = []
 * for await (const result of diagnose({ configuration, authority: localAuthority() }))
 *   if (result.outcome === 'error') failed.push(`${result.stage}: ${result.code}`)
 * console.log(failed) // [ 'binary: program_missing' ]
 * ```
 */
export async function* diagnose(options: DiagnoseOptions): AsyncGenerator<StageResult, void> {
  const { configuration, signal } = options
  const stopped = new AbortController()
  const context = {
    ...options,
    checks: createSchemaChecks(),
    signal: signal === undefined ? stopped.signal : AbortSignal.any([signal, stopped.signal]),
  }
  yield* configurationResults(configuration)
  const servers = configuration.servers.map((spec) =>
    diagnoseServer(spec, entryIssues(spec, configuration), context),
  )
  const tools = yield* mergeGenerators(servers, () => stopped.abort())
  const mask = (text: string): string => tools.reduce((told, known) => known?.mask(told) ?? told, text)
  // A message about one server may name a tool of another.
  yield* nameStages(byServer(configuration, tools)).map((result) => masked(result, mask))
}

function byServer(
  { servers }: DiagnosedConfiguration,
  tools: readonly (DiagnosedTools | undefined)[],
): ReadonlyMap<string, ServerEntries> {
  return new Map(
    servers.flatMap(({ name }, index) => {
      const known = tools[index]
      return known === undefined ? [] : [[name, known.entries] as const]
    }),
  )
}
