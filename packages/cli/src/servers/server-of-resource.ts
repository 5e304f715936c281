import type { Bridge } from '@toolbridge/bridge'
import { didYouMean } from '../did-you-mean.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { runningServers } from './selected-servers.ts'
import { templateMatcher } from './uri-template.ts'

/** The server that has a resource: the only one that runs, or the one that lists the URI or has a template for it. */
export async function serverOfResource(bridge: Bridge, uri: string, terminal: Terminal): Promise<string> {
  const [only, ...others] = runningServers(bridge)
  if (only !== undefined && others.length === 0) return only
  const listed = await bridge.resources.list(terminal)
  const having = listed.filter(({ definition }) => definition.uri === uri)
  const templates = having.length > 0 ? [] : await bridge.resources.templates(terminal)
  const matching = templates.filter(({ definition }) => templateMatcher(definition.uriTemplate).test(uri))
  const servers = [...new Set([...having, ...matching].map(({ server }) => server))]
  if (servers[0] !== undefined && servers.length === 1) return servers[0]
  if (servers.length > 1)
    throw new UsageError(`several servers have "${uri}": ${servers.join(', ')}. Choose one with --server`)
  const hint = didYouMean(
    uri,
    listed.map(({ definition }) => definition.uri),
  )
  throw new UsageError(`no server lists "${uri}".${hint} Name the server with --server`)
}
