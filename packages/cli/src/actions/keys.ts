import type {
  CreateKeyResponse,
  KeySummary,
  KeysResponse,
  paths as apiPaths,
  RemovePersonResponse,
  RevokeKeyResponse,
} from '@toolbridge/api'
import { printable } from '@toolbridge/client/internal'
import { type Invocation, textOption, textOptions } from '../command.ts'
import { dataFolder } from '../data-folder.ts'
import { didYouMean } from '../did-you-mean.ts'
import { printResult } from '../display/print-result.ts'
import { ExitCode } from '../exit-code.ts'
import { gatewayOrigin, storedAccount, requestGateway } from '../gateway-account.ts'
import { isWhole, numberOption } from '../number-option.ts'
import { print, printError, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function runKeys(invocation: Invocation): Promise<ExitCode> {
  const [verb = 'list', word] = invocation.positionals
  if (verb === 'create') return create(invocation, word)
  if (verb === 'revoke') return revoke(invocation, word)
  if (verb === 'list' && word === undefined) return list(invocation)
  const hint = didYouMean(verb, ['create', 'list', 'revoke'])
  throw new UsageError(`unknown command "keys ${verb}".${hint} See: toolbridge keys --help`)
}

async function create(invocation: Invocation, name: string | undefined): Promise<ExitCode> {
  const scopes = textOptions(invocation.options, 'scope')
  if (name === undefined) throw new UsageError('missing name. See: toolbridge keys --help')
  if (scopes.length === 0) throw new UsageError('missing --scope: expected api or mcp')
  const unknown = scopes.find((scope) => scope !== 'api' && scope !== 'mcp')
  if (unknown !== undefined) throw new UsageError(`invalid --scope "${unknown}": expected api or mcp`)
  const days = numberOption(invocation.options, 'days', 'a whole number from 1 to 366', isWhole(1, 366))
  const body = { name, scopes, ...(days === undefined ? {} : { expiresInDays: days }) }
  const answer = await request<CreateKeyResponse>(invocation, 'POST', ({ keys }) => keys, body)
  if (answer === undefined) return ExitCode.Link
  printResult(invocation, answer, () => {
    printError(invocation.terminal, `toolbridge: created ${line(answer.key)}. The token is not shown again`)
    print(invocation.terminal, answer.token)
  })
  return ExitCode.Ok
}

async function list(invocation: Invocation): Promise<ExitCode> {
  const query = invocation.options['everyone'] === true ? '?everyone=1' : ''
  const answer = await request<KeysResponse>(invocation, 'GET', ({ keys }) => keys + query)
  if (answer === undefined) return ExitCode.Link
  printResult(invocation, { keys: answer.keys }, () => {
    if (answer.keys.length === 0) printError(invocation.terminal, 'toolbridge: there are no keys')
    for (const key of answer.keys) print(invocation.terminal, line(key))
  })
  return ExitCode.Ok
}

async function revoke(invocation: Invocation, id: string | undefined): Promise<ExitCode> {
  const person = textOption(invocation.options, 'person')
  if (person !== undefined && id !== undefined)
    throw new UsageError('expected the id of a key or --person, not both')
  if (person !== undefined) return revokePerson(invocation, person)
  if (id === undefined) throw new UsageError('missing id. See: toolbridge keys list')
  // The owner of the gateway is an administrator; others may not be.
  const isMember = invocation.options['gateway'] !== undefined && invocation.options['everyone'] !== true
  const query = isMember ? '' : '?everyone=1'
  const all = await request<KeysResponse>(invocation, 'GET', ({ keys }) => keys + query)
  if (all === undefined) return ExitCode.Link
  const keys = all.keys.filter((key) => key.id === id)
  if (keys.length === 0) throw new UsageError(`no key "${id}". See: toolbridge keys list --everyone`)
  await request<RevokeKeyResponse>(invocation, 'DELETE', ({ key }) => key(id))
  printResult(invocation, { keys }, () => {
    for (const key of keys) print(invocation.terminal, `revoked ${line(key)}`)
  })
  return ExitCode.Ok
}

/** Revokes keys, sign-ins and tokens of the issuer. */
async function revokePerson(invocation: Invocation, person: string): Promise<ExitCode> {
  const all = await request<KeysResponse>(invocation, 'GET', ({ keys }) => `${keys}?everyone=1`)
  if (all === undefined) return ExitCode.Link
  const keys = all.keys.filter(({ owner }) => owner === person)
  const answer = await request<RemovePersonResponse>(invocation, 'DELETE', (paths) => paths.person(person))
  if (answer === undefined) return ExitCode.Link
  printResult(invocation, { keys }, () => {
    for (const key of keys) print(invocation.terminal, `revoked ${line(key)}`)
    print(
      invocation.terminal,
      printable(`revoked all sign-ins of ${person}: ${answer.signIns} of the gateway`),
    )
  })
  return ExitCode.Ok
}

/** Undefined, with a message, if no gateway runs. Throws what the gateway says about an invalid request. */
async function request<T>(
  { options, terminal }: Invocation,
  method: string,
  pathOf: (paths: typeof apiPaths) => string,
  body?: object,
): Promise<T | undefined> {
  const { paths } = await import('@toolbridge/api')
  const gateway = textOption(options, 'gateway')
  const response = await (gateway === undefined
    ? requestLocal(dataFolder(options, terminal), terminal, { method, path: pathOf(paths), body })
    : requestSignedIn(gatewayOrigin(gateway), terminal, { method, path: pathOf(paths), body }))
  if (response === undefined) return undefined
  const answer: unknown = await response.json()
  if (response.ok) return answer as T
  throw new UsageError(printable(problemText(answer as Problem)))
}

interface KeyRequest {
  readonly method: string
  readonly path: string
  readonly body: object | undefined
}

async function requestLocal(
  folder: string,
  terminal: Terminal,
  { method, path, body }: KeyRequest,
): Promise<Response | undefined> {
  const { requestAsOwner } = await import('@toolbridge/gateway/reuse')
  const { signal } = terminal
  const response = await requestAsOwner(folder, path, { method, signal, ...(body && { body }) })
  if (response === undefined)
    printError(terminal, `toolbridge: no gateway is running on ${folder}. Start one with: toolbridge serve`)
  return response
}

async function requestSignedIn(
  gateway: string,
  terminal: Terminal,
  { method, path, body }: KeyRequest,
): Promise<Response | undefined> {
  const account = await storedAccount(terminal, gateway)
  if (account === undefined) throw notSignedIn(gateway)
  const response = await requestGateway(terminal, gateway + path, { method, token: account.token, body })
  if (response?.status === 401) throw notSignedIn(gateway)
  if (response === undefined) printError(terminal, `toolbridge: ${gateway} does not respond. Try again later`)
  return response
}

function notSignedIn(gateway: string): UsageError {
  return new UsageError(`not signed in to ${gateway}. Sign in with: toolbridge login ${gateway}`)
}

interface Problem {
  readonly title?: string
  readonly detail?: string
  readonly issues?: readonly { readonly path: string; readonly message: string }[]
}

function problemText({ title = 'the gateway refused the request', detail, issues = [] }: Problem): string {
  const found = issues.map(({ path, message }) => `${path.slice(1)}: ${message}`)
  return [title, ...(found.length > 0 ? found : [detail ?? []].flat())].join('; ')
}

function line({ id, name, owner, scopes, expiresAt, lastUsedAt }: KeySummary): string {
  const used = lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt}`
  const person = owner === 'local' ? '' : `  of ${owner}`
  return printable(`${id}  ${name}${person}  ${scopes.join(', ')}  expires ${expiresAt}  ${used}`)
}
