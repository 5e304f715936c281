import { connectableHosts, hostConfigFile } from '@toolbridge/bridge/config'
import type { Invocation } from '../command.ts'
import { searchOptions } from '../configuration.ts'
import { didYouMean } from '../did-you-mean.ts'
import { UsageError } from '../usage-error.ts'

/** The file of the host that a command line names, which need not exist. */
export async function hostFile({ positionals: [host], options, terminal }: Invocation): Promise<string> {
  const hosts = connectableHosts()
  if (host === undefined) throw new UsageError(`missing host: one of ${hosts.join(', ')}`)
  if (!hosts.includes(host))
    throw new UsageError(`unknown host "${host}".${didYouMean(host, hosts)} Known hosts: ${hosts.join(', ')}`)
  const scope = options['project'] === true ? 'project' : 'user'
  // The options of Toolbridge's own configuration do not move the files of hosts.
  const { env, cwd, signal } = searchOptions(terminal, {})
  const file = await hostConfigFile(host, scope, { env, cwd, ...(signal === undefined ? {} : { signal }) })
  if (file !== undefined) return file
  const other = scope === 'user' ? 'Add --project for that of this folder' : 'Leave out --project'
  throw new UsageError(`${host} has no configuration file of a ${scope}. ${other}`)
}
