import type { Invocation } from '../command.ts'
import { chooseServers, type LoadedConfiguration, noConfiguration } from '../configuration.ts'
import { serversNamedBy } from './selected-servers.ts'

/** Options that name something of a server. */
const optionsOfServers = ['server', 'tool', 'prompt', 'resource', 'sampling']

const withoutServers: LoadedConfiguration = {
  file: '',
  files: [],
  dialect: '',
  servers: [],
  issues: [],
  unreadable: [],
}

/**
 * The servers of the configuration, or those named with `--server`. Without a configuration there are none; throws if an
 * option needs one.
 */
export async function chosenServers({ options, terminal }: Invocation): Promise<LoadedConfiguration> {
  const chosen = await chooseServers(terminal, options, serversNamedBy(options))
  if (chosen === undefined && optionsOfServers.some((name) => options[name] !== undefined))
    throw await noConfiguration(terminal, options)
  return chosen ?? withoutServers
}
