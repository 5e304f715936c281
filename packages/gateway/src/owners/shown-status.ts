import type { ServerStatus } from '@toolbridge/api'
import type { UpstreamStatus } from '@toolbridge/bridge'
import type { Issue, ServerSpec } from '@toolbridge/bridge/config'
import type { ClearEntry } from '../settings/mask-servers.ts'
import { refusalOf } from '../settings/saved-servers.ts'

/** The status of a saved server whose definition is invalid. */
export function refusedStatus(name: string, entry: ClearEntry, issues: readonly Issue[]): ServerStatus {
  const transport = 'url' in entry ? 'http' : 'stdio'
  return {
    name,
    scope: 'user',
    transport,
    state: 'failed',
    toolCount: 0,
    error: refusalOf(name, issues),
  }
}

/** The status of a server that the bridge does not have yet. */
export function waitingStatus(
  { name, transport }: ServerSpec,
  operators: ReadonlySet<string>,
  failure: string | undefined,
): ServerStatus {
  const commons = { name, scope: scopeOf(name, operators), transport, toolCount: 0 }
  if (failure === undefined) return { ...commons, state: 'starting' }
  return { ...commons, state: 'failed', error: failure }
}

/** The status of a server in the form of the HTTP API. */
export function shownStatus(status: UpstreamStatus, operators: ReadonlySet<string>): ServerStatus {
  const { pid: _pid, source: _source, tools: _tools, since, retryAt, failedReplacement, ...known } = status
  return {
    ...known,
    since: since.toISOString(),
    ...(retryAt === undefined ? {} : { retryAt: retryAt.toISOString() }),
    ...describeReplacement(failedReplacement),
    scope: scopeOf(status.name, operators),
  }
}

function describeReplacement(
  failed: UpstreamStatus['failedReplacement'],
): Pick<ServerStatus, 'failedReplacement'> {
  if (failed === undefined) return {}
  const { since: _since, ...failedReplacement } = failed
  return { failedReplacement }
}

function scopeOf(name: string, operators: ReadonlySet<string>): ServerStatus['scope'] {
  return operators.has(name) ? 'operator' : 'user'
}
