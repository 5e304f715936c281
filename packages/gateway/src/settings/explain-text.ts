import type { ExplainedIssue, ExplainedServer, ExplainRequest, ExplainResponse } from '@toolbridge/api'
import {
  type ConfigExplanation,
  explainPasted,
  type Issue,
  reportServers,
  type ServerReport,
} from '@toolbridge/bridge/config'
import { type SavingRules, savingIssues } from './saved-servers.ts'

const file = 'pasted text'

/**
 * Explains a text as if its servers were to be saved. Looks neither at the environment nor at the files of this machine, and
 * starts nothing.
 */
export async function explainText(
  { text, dialect }: ExplainRequest,
  rules: SavingRules,
): Promise<ExplainResponse> {
  const named = dialect === undefined ? {} : { dialect }
  const explained = explainPasted(text, { file, authority: 'session', ...named })
  const source = { file, scope: 'context', reading: explained } as const
  const reports = await reportServers([source], { authority: { kind: 'session' } })
  const issues = [...explained.issues, ...savingIssues(explained.servers, rules)]
  return {
    kind: explained.kind,
    dialect: explained.dialect,
    servers: reports.map(shownServer),
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

function shownIssue({ code, severity, path, line, column, message, fix }: Issue): ExplainedIssue {
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
