import type {
  ApprovalSpec,
  EffectiveDefinition,
  EnvironmentReport,
  ProgramReport,
  ServerReport,
  ServerState,
  StateReason,
  ToolApproval,
  VariableReport,
} from '@toolbridge/bridge/config'
import { printable } from '@toolbridge/client/internal'
import type { Colors } from '../../colors.ts'
import { wrap } from '../../display/wrap.ts'

/** Names of states for people. */
export const stateWords: Readonly<Record<ServerState, string>> = {
  on: 'on',
  off: 'off',
  untrusted: 'not trusted',
  refused: 'refused',
  failing: 'cannot start',
}

/** Lines that say how many servers there are in each state. */
export function describeCounts(reports: readonly ServerReport[]): string {
  const states = Object.entries(stateWords).flatMap(([state, word]) => {
    const count = reports.filter((report) => report.state === state).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  const total = `${reports.length} server${reports.length === 1 ? '' : 's'}`
  return states.length === 0 ? total : `${total}: ${states.join(', ')}`
}

/** A block of lines about one server, at most 80 columns wide except for long words. */
export function describeServer(report: ServerReport, colors: Colors): readonly string[] {
  const { name, state, reasons, definition, shadowed } = report
  const paint = state === 'on' ? colors.green : state === 'off' ? colors.yellow : colors.red
  const rows: readonly Row[] = [
    ...reasons.flatMap(reasonRows),
    ['defined in', location(report)],
    ...(report.dialect === undefined ? [] : [['format', report.dialect] as const]),
    ...shadowed.flatMap(shadowedRows),
    ...(definition === undefined ? [] : definitionRows(definition, state)),
  ]
  return [
    `${colors.bold(printable(name))}: ${paint(stateWords[state])}`,
    ...rows.flatMap(([label, text]) => wrap(`  ${label.padEnd(12)} `, printable(text))),
  ]
}

type Row = readonly [label: string, text: string]

function reasonRows(reason: StateReason): readonly Row[] {
  return [
    ['why', reason.message],
    ['where', location(reason)],
    ['to change', reason.fix],
  ]
}

function shadowedRows({ source, lostRestrictions }: ServerReport['shadowed'][number]): readonly Row[] {
  return [
    ['instead of', location(source)],
    ...(lostRestrictions.length === 0
      ? []
      : [['', `which restricts more: ${lostRestrictions.join(', ')}`] as const]),
  ]
}

function location({ file, line }: Pick<StateReason, 'file' | 'line'>): string {
  return line === undefined ? file : `${file}:${line}`
}

/** A disabled server gets only what identifies it. */
function definitionRows(definition: EffectiveDefinition, state: ServerState): readonly Row[] {
  const { tools, approval, timeouts, variables, environment } = definition
  const identity = identityRows(definition)
  if (state === 'off') return identity
  return [
    ...identity,
    ...(environment === undefined ? [] : environmentRows(environment)),
    ...variableRows(variables),
    ['tools', toolWords(tools)],
    ['approval', approvalWords(approval)],
    ['timeouts', `start ${timeouts.startMs} ms, call ${timeouts.callMs} ms`],
    ['starts', startWords(definition)],
    ['on changes', replaceWords[definition.replace]],
  ]
}

function identityRows(definition: EffectiveDefinition): readonly Row[] {
  const { program, url, headers = [], hasHeadersHelper, maySignIn } = definition
  if (program !== undefined) return programRows(program)
  const sent = [...headers, ...(hasHeadersHelper === true ? ['those that its helper program prints'] : [])]
  return [
    ['address', `${url ?? ''} (${definition.transport})`],
    ...(sent.length === 0 ? [] : [['headers', sent.join(', ')] as const]),
    ...(maySignIn === true ? [['sign-in', 'if the server requires it'] as const] : []),
  ]
}

function programRows({ command, path, isFound, argumentCount }: ProgramReport): readonly Row[] {
  return [
    ['program', `${path ?? command}${isFound === false ? ' (not found)' : ''}`],
    ...(argumentCount === 0 ? [] : [['arguments', String(argumentCount)] as const]),
  ]
}

const inheritWords: Readonly<Record<EnvironmentReport['inherits'], string>> = {
  safe: 'gets PATH, HOME and other harmless variables of your shell',
  all: 'gets all variables of your shell',
  none: 'gets no variables of your shell',
}

function environmentRows(environment: EnvironmentReport): readonly Row[] {
  const { inherits, inheritsNames, removes, sets, hasFile, host } = environment
  const parts = [
    inheritWords[inherits],
    ...(inheritsNames.length === 0 ? [] : [`also ${inheritsNames.join(', ')}`]),
    ...(removes.length === 0 ? [] : [`not ${removes.join(', ')}`]),
    ...(sets.length === 0 ? [] : [`sets ${sets.join(', ')}`]),
    ...(hasFile ? ['reads a file of variables'] : []),
  ]
  const but = host?.inherits === 'all but secrets' ? ' except those that look like secrets' : ''
  const rows: readonly Row[] = [['environment', parts.join('; ')]]
  if (host === undefined) return rows
  const difference = `${host.title} itself hands on all variables of your shell${but}. If the server needs one, add it to its environment.`
  return [...rows, ['', difference]]
}

const missingWords: Readonly<Record<VariableReport['missingBecomes'], string>> = {
  empty: 'empty text is used instead',
  keep: 'the reference is used as text',
  error: 'the server does not start',
  drop: 'values with it are left out',
}

function variableRows({ missing, missingBecomes, inputs, secrets }: VariableReport): readonly Row[] {
  return [
    ...(missing.length === 0
      ? []
      : [['not set', `${missing.join(', ')}: ${missingWords[missingBecomes]}`] as const]),
    ...(inputs.length === 0 ? [] : [['asks for', inputs.join(', ')] as const]),
    ...(secrets.length === 0 ? [] : [['secrets', secrets.join(', ')] as const]),
  ]
}

function toolWords({ allow, deny = [], readOnly }: EffectiveDefinition['tools']): string {
  const allowed = allow === undefined ? 'all' : allow.length === 0 ? 'none' : `only ${allow.join(', ')}`
  const denied = deny.length === 0 ? '' : `, except ${deny.join(', ')}`
  return `${allowed}${denied}${readOnly ? '; only those marked read-only' : ''}`
}

const approvalPhrases: Readonly<Record<ToolApproval, string>> = {
  allow: 'allowed without a question',
  ask: 'asked for each call',
  writes: 'asked for calls of tools that are not marked read-only',
  deny: 'denied',
}

function approvalWords({ default: usual, tools = {} }: ApprovalSpec = {}): string {
  const named = Object.entries(tools).map(([tool, approval]) => `${tool}: ${approvalPhrases[approval]}`)
  const rest = usual === undefined ? 'your permission rules decide' : approvalPhrases[usual]
  return named.length === 0 ? rest : [...named, `all others: ${rest}`].join('; ')
}

function startWords({ start, required }: EffectiveDefinition): string {
  return required ? `${startTimes[start]}; without it nothing starts` : startTimes[start]
}

const startTimes: Readonly<Record<EffectiveDefinition['start'], string>> = {
  eager: 'at once',
  lazy: 'when it is first needed',
  'on-demand': 'only when a program asks for it',
}

const replaceWords: Readonly<Record<EffectiveDefinition['replace'], string>> = {
  'start-first': 'starts the new server, then stops the old one',
  'stop-first': 'stops the old server, then starts the new one',
}
