import type { ExplainedServer, ImportName } from '@toolbridge/api'
import type { AddDraft, ServerChoice } from './add-draft.ts'

/** Names that cannot be used freely. */
export interface UsedNames {
  /** Saved servers of this person, which can be replaced. */
  readonly own: ReadonlySet<string>
  /** Servers of the gateway's configuration file. */
  readonly operators: ReadonlySet<string>
}

/** A server of a text together with what the person decided about it. */
export interface ChosenServer<Server extends ExplainedServer = ExplainedServer> {
  readonly server: Server
  /** Whether it can be saved. */
  readonly isUsable: boolean
  readonly isIncluded: boolean
  readonly as: string
  readonly replaces: boolean
  /** Why it cannot be saved under this name. */
  readonly problem?: NameProblem
}

/** `empty`: no name. `taken`: of the configuration file. `saved`: would replace a saved server. `repeated`: twice in the text. */
export type NameProblem = 'empty' | 'taken' | 'saved' | 'repeated'

/** Applies the decisions of a person, which are named by `keyOf`, to servers. Default: by their names, and all are included. */
export function chosenServers<Server extends ExplainedServer>(
  servers: readonly Server[],
  choices: AddDraft['choices'],
  used: UsedNames,
  keyOf: (server: Server) => string = ({ name }) => name,
  isIncludedAtFirst = true,
): readonly ChosenServer<Server>[] {
  const decided = servers.map((server) =>
    decide(server, { isIncluded: isIncludedAtFirst, ...choices[keyOf(server)] }),
  )
  return decided.map((chosen, index) => {
    const problem = chosen.isIncluded ? nameProblem(chosen, decided.slice(0, index), used) : undefined
    return problem === undefined ? chosen : { ...chosen, problem }
  })
}

function decide<Server extends ExplainedServer>(
  server: Server,
  choice: ServerChoice,
): Omit<ChosenServer<Server>, 'problem'> {
  const isUsable = server.entry !== undefined
  const { isIncluded = true, as = server.name, replaces = false } = choice
  return { server, isUsable, isIncluded: isUsable && isIncluded, as, replaces }
}

function nameProblem(
  { as, replaces }: Pick<ChosenServer, 'as' | 'replaces'>,
  before: readonly Pick<ChosenServer, 'as' | 'isIncluded'>[],
  { own, operators }: UsedNames,
): NameProblem | undefined {
  const name = as.trim()
  if (name === '') return 'empty'
  if (operators.has(name)) return 'taken'
  if (before.some((other) => other.isIncluded && other.as.trim() === name)) return 'repeated'
  return own.has(name) && !replaces ? 'saved' : undefined
}

/** The name of an import as it is sent to the gateway. */
export function importName({ server, as, replaces }: ChosenServer): ImportName {
  return {
    ...(as.trim() === server.name ? {} : { as: as.trim() }),
    ...(replaces ? { replaces } : {}),
  }
}

/** The values of variables that the chosen servers use and for which one was entered. */
export function enteredValues(
  chosen: readonly ChosenServer[],
  values: AddDraft['values'],
): Readonly<Record<string, string>> {
  const asked = new Set(chosen.flatMap(({ server, isIncluded }) => (isIncluded ? variablesOf(server) : [])))
  return Object.fromEntries(
    Object.entries(values).filter(([variable, value]) => asked.has(variable) && value !== ''),
  )
}

function variablesOf({ asks = [] }: ExplainedServer): readonly string[] {
  return asks.map(({ variable }) => variable)
}

/** A name like the given one that is not used. */
export function freeName(name: string, { own, operators }: UsedNames): string {
  const isFree = (candidate: string): boolean => !own.has(candidate) && !operators.has(candidate)
  for (let number = 2; ; number += 1) if (isFree(`${name}-${number}`)) return `${name}-${number}`
}
