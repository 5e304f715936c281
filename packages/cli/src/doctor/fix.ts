import { pointerSteps, printable } from '@toolbridge/client/internal'
import { ConfigError } from '@toolbridge/bridge'
import {
  type ConfigChange,
  editConfig,
  editConfigFile,
  readConfigText,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import type { StageResult, SuggestedEdit } from '@toolbridge/bridge/doctor'
import { printError, type Terminal } from '../terminal.ts'
import { isChangeConfirmed, printChange } from '../display/confirm-change.ts'
import { describeChange } from '../display/describe-change.ts'

interface FixOptions {
  readonly servers: readonly ServerSpec[]
  /** Whether changes are made without asking. */
  readonly isConfirmed: boolean
  /** Name of the dialect of the file. Default: recognized. */
  readonly dialect?: string
}

/** Shows the changes that the findings suggest, and makes those that the user confirms. Returns their number. */
export async function fixConfiguration(
  results: readonly StageResult[],
  terminal: Terminal,
  options: FixOptions,
): Promise<number> {
  let count = 0
  let isAny = false
  for (const result of results) {
    const change = changeOf(result, options.servers)
    isAny ||= change !== undefined
    if (change !== undefined && (await isMade(change, result, terminal, options))) count += 1
  }
  if (!isAny) {
    printError(terminal, 'toolbridge: there is nothing that --fix can change')
    return 0
  }
  const what = count === 1 ? '1 change' : `${count} changes`
  printError(terminal, `toolbridge: made ${what}${count === 0 ? '' : '; run doctor again'}`)
  return count
}

interface FileChange {
  readonly file: string
  readonly change: ConfigChange
}

function changeOf(
  { edit, server, outcome, location }: StageResult,
  servers: readonly ServerSpec[],
): FileChange | undefined {
  if (edit === undefined || server === undefined || outcome === 'skipped') return undefined
  const spec = servers.find(({ name }) => name === server)
  if (edit.kind === 'remove') {
    const file = location?.file ?? spec?.source.file
    const field = fieldIn(edit.value, server)
    return file === undefined || field.length === 0
      ? undefined
      : { file, change: { kind: 'set', name: server, field } }
  }
  return spec && { file: spec.source.file, change: { kind: 'replace', server: edited(spec, edit) } }
}

/** The steps of a JSON pointer below the entry of a server. */
function fieldIn(pointer: string, server: string): readonly string[] {
  const steps = pointerSteps(pointer)
  return steps.slice(steps.indexOf(server) + 1)
}

function edited(spec: ServerSpec, edit: Exclude<SuggestedEdit, { kind: 'remove' }>): ServerSpec {
  switch (edit.kind) {
    case 'url':
      return spec.transport === 'stdio' ? spec : { ...spec, url: edit.value }
    case 'deny':
      return { ...spec, tools: { ...spec.tools, deny: [...(spec.tools?.deny ?? []), edit.value] } }
    case 'startMs':
      return { ...spec, timeouts: { ...spec.timeouts, startMs: edit.value } }
  }
}

async function isMade(
  { file, change }: FileChange,
  { server = '', code }: StageResult,
  terminal: Terminal,
  { isConfirmed, servers, dialect }: FixOptions,
): Promise<boolean> {
  try {
    const text = await readConfigText(file)
    if (typeof text !== 'string') return false
    const settings = { workspaceFolder: terminal.cwd, ...(dialect === undefined ? {} : { dialect }) }
    if (editConfig(text, change, { ...settings, file }).text === text) return false
    printError(terminal, printable(`${server} [${code}], in ${file}:`))
    printChange(
      linesOf(
        change,
        servers.find(({ name }) => name === server),
      ),
      terminal,
    )
    if (!isConfirmed && !(await isChangeConfirmed(terminal))) return false
    await editConfigFile(file, [change], { ...settings, signal: terminal.signal })
    return true
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    printError(
      terminal,
      printable(`toolbridge: ${server} [${code}] has to be changed by hand: ${error.message}`),
    )
    return false
  }
}

function linesOf(change: ConfigChange, before: ServerSpec | undefined): readonly string[] {
  if (change.kind === 'set') return [`- ${change.field.join('/')}`]
  return describeChange({ before, ...('server' in change ? { after: change.server } : {}) })
}
