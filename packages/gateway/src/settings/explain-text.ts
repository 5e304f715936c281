import type {
  ExplainedIssue,
  ExplainedServer,
  ExplainedVariable,
  ExplainRequest,
  ExplainResponse,
  ServerEntry,
} from '@toolbridge/api'
import {
  askedVariables,
  type ConfigExplanation,
  dialectTitle,
  explainPasted,
  type Issue,
  maskEntry,
  type PastedExplanation,
  reportServers,
  type ServerReport,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import type { ClearServers } from './mask-servers.ts'
import { shownTarget } from './report-saved.ts'
import { savedForm } from './saved-form.ts'
import { type SavingRules, savingIssues } from './saved-servers.ts'

const file = 'pasted text'
/** Stands for a value that may be a secret. */
const hidden = '…'

/** What a worker does with a text: without rules, it only reads it. */
export interface PastedTask {
  readonly request: ExplainRequest
  readonly rules?: SavingRules
}

/** The servers of a text. */
export type PastedServers = Pick<PastedExplanation, 'servers' | 'issues'>

/** Does a task. The result can be sent to another thread. */
export async function readingOf({ request, rules }: PastedTask): Promise<ExplainResponse | PastedServers> {
  return rules === undefined ? readPasted(request) : explainText(request, rules)
}

/** Reads a text as if its servers were to be saved. */
export function readPasted(request: ExplainRequest): PastedServers {
  const { servers, issues } = pasted(request)
  return { servers, issues }
}

function pasted({ text, dialect }: ExplainRequest): PastedExplanation {
  return explainPasted(text, { file, authority: 'session', ...(dialect === undefined ? {} : { dialect }) })
}

/**
 * Explains a text as if its servers were to be saved. Looks neither at the environment nor at the files of this machine, and
 * starts nothing.
 */
export async function explainText(request: ExplainRequest, rules: SavingRules): Promise<ExplainResponse> {
  const explained = pasted(request)
  const source = { file, scope: 'context', reading: explained } as const
  const reports = await reportServers([source], { authority: { kind: 'session' } })
  const { servers: entries, issues: lost } = savedForm(explained.servers)
  const issues = [...explained.issues, ...lost, ...savingIssues(explained.servers, rules)]
  return {
    kind: explained.kind,
    dialect: explained.dialect,
    title: dialectTitle(explained.dialect),
    servers: reports.map((report) => ({
      ...shownServer(report),
      ...shownEntry(report, entries),
      ...shownVariables(report.name, explained.servers),
    })),
    fields: explained.fields,
    hostRules: hostRules(explained),
    issues: issues.map(shownIssue),
  }
}

/** There is one text, so nothing is shadowed and the scope is always the same. */
function shownServer({
  file: _file,
  scope: _scope,
  shadowed: _shadowed,
  ...server
}: ServerReport): ExplainedServer {
  return server
}

/** The masked entry has the fields of the entry. */
function shownEntry(
  { name, definition }: ServerReport,
  entries: ClearServers,
): Pick<ExplainedServer, 'definition' | 'entry'> {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
  if (entry === undefined) return {}
  return {
    ...(definition === undefined ? {} : { definition: { ...definition, ...shownTarget(definition, entry) } }),
    entry: maskEntry(entry, hidden) as unknown as ServerEntry,
  }
}

function shownVariables(name: string, specs: readonly ServerSpec[]): Pick<ExplainedServer, 'asks'> {
  const spec = specs.find((each) => each.name === name)
  const asks = spec === undefined ? [] : variablesOf(spec)
  return asks.length === 0 ? {} : { asks }
}

/** The variables that a definition asks for, without the defaults of secrets. */
export function variablesOf(spec: ServerSpec): readonly ExplainedVariable[] {
  return askedVariables(spec).map((asked) =>
    asked.isSecret === true && asked.default !== undefined ? { ...asked, default: hidden } : asked,
  )
}

/** An issue without the name of the text. */
export function shownIssue({ code, severity, path, line, column, message, fix }: Issue): ExplainedIssue {
  const position = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) }
  return { code, severity, path, ...position, message, fix }
}

function hostRules({ policies, facts }: ConfigExplanation): ExplainResponse['hostRules'] {
  const named = [
    ...facts.map(({ fact, value, from }) => ({ name: fact, value, from })),
    ...policies.map(({ policy, value, from }) => ({ name: policy, value, from })),
  ]
  return named.filter(({ from }) => from === 'dialect').map(({ name, value }) => ({ name, value }))
}
