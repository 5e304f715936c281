import type { ImportedServer, ImportRequest, ImportResponse, ProblemIssue } from '@toolbridge/api'
import {
  answerVariables,
  askedVariables,
  type ConfigReading,
  type Issue,
  type ServerSpec,
} from '@toolbridge/bridge/config'
import { GatewayError } from '../errors/gateway-error.ts'
import { pointerTo } from '../errors/issues.ts'
import type { GatewayServices } from '../services.ts'
import type { ClearServers } from './mask-servers.ts'
import { savedForm } from './saved-form.ts'
import { parseServers } from './save-request.ts'
import { changeServers, savedResponse } from './save-servers.ts'
import { refuseTooMany, refuseUnusable } from './saved-servers.ts'

/** What is imported of a reading, under which names and with which values. */
export type ImportChoice = Pick<ImportRequest, 'servers' | 'values' | 'version'>

/** Definitions that were read from a text or a file. */
export type ReadServers = Pick<ConfigReading, 'servers' | 'issues'>

/** Saves servers that were read in any dialect. Throws a `GatewayError` that lists every issue, and saves nothing then. */
export async function importServers(
  services: GatewayServices,
  owner: string,
  reading: ReadServers,
  { servers: choices, values = {}, version }: ImportChoice,
): Promise<ImportResponse> {
  const chosen = chooseServers(reading, choices)
  const named = chosen.map(({ spec, as }) => ({
    ...answerVariables(spec, answersFor(spec, values)),
    name: as,
  }))
  const { servers: form, issues: lost } = savedForm(named)
  refuse(lost.filter(({ severity }) => severity === 'error').map(shown))
  const { servers: added, warnings } = parseServers(form)
  refuseUnusable(added, services.owners.savingRules(owner))
  const add = ({ servers: current }: { readonly servers: ClearServers }): ClearServers => {
    refuse(takenNames(chosen, current))
    const next = { ...current, ...added }
    refuseTooMany(next)
    return next
  }
  const saved = await changeServers(services, owner, add, version)
  return {
    ...savedResponse(saved, [...lost.map(shown), ...warnings]),
    servers: named.map(({ name }) => name),
  }
}

/** The declarations of inputs are not saved, so their defaults are used now. */
function answersFor(spec: ServerSpec, values: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const defaults = askedVariables(spec).flatMap(({ variable, default: value }) =>
    value !== undefined && variable.startsWith('input:') ? [[variable, value] as const] : [],
  )
  return new Map([...defaults, ...Object.entries(values)])
}

interface ChosenServer {
  readonly spec: ServerSpec
  readonly as: string
  readonly replaces: boolean
  /** JSON pointer of the name in the request. */
  readonly path: string
}

function chooseServers(
  { servers: specs, issues }: ReadServers,
  choices: readonly ImportedServer[] = specs.map(({ name }) => ({ name })),
): readonly ChosenServer[] {
  if (choices.length === 0) throw nothingToImport(issues)
  const chosen = choices.flatMap(({ name, as = name, replaces = false }, index): readonly ChosenServer[] => {
    const spec = specs.find((each) => each.name === name)
    return spec === undefined ? [] : [{ spec, as, replaces, path: pointerTo(['servers', index, 'as']) }]
  })
  refuse([
    ...choices.flatMap(({ name }, index) => unknownChoice(name, index, specs, issues)),
    ...chosen.filter(({ as }, index) => chosen.findIndex((each) => each.as === as) < index).map(repeatedName),
  ])
  return chosen
}

function unknownChoice(
  name: string,
  index: number,
  specs: readonly ServerSpec[],
  issues: readonly Issue[],
): readonly ProblemIssue[] {
  if (specs.some((spec) => spec.name === name)) return []
  const own = issues.filter(({ message }) => message.startsWith(`server "${name}": `))
  if (own.length > 0) return own.map(shown)
  return [{ path: pointerTo(['servers', index, 'name']), message: `there is no server "${name}"` }]
}

function repeatedName({ as, path }: ChosenServer): ProblemIssue {
  return { path, message: `two servers would have the name "${as}"; choose another name` }
}

function takenNames(chosen: readonly ChosenServer[], current: ClearServers): readonly ProblemIssue[] {
  return chosen
    .filter(({ as, replaces }) => !replaces && Object.hasOwn(current, as))
    .map(({ as, path }) => ({
      path,
      message: `you have a server "${as}" already; choose another name, or replace it`,
    }))
}

function nothingToImport(issues: readonly Issue[]): GatewayError {
  return new GatewayError('invalid_request', 'there is no server to save', issues.map(shown))
}

function refuse(issues: readonly ProblemIssue[]): void {
  if (issues.length > 0) throw new GatewayError('invalid_request', 'nothing was saved', issues)
}

function shown({ path, line, column, message, fix }: Issue): ProblemIssue {
  const position = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) }
  return { path, message: `${message}; ${fix}`, ...position }
}
