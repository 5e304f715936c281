import { fieldOf } from '../documents/config-document.ts'
import { bearerToken } from '../fields/headers.ts'
import { address, transport } from '../fields/transport.ts'
import {
  disabledUndocumented,
  dropped,
  group,
  list,
  map,
  milliseconds,
  refused,
  text,
} from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { listEntries, mapEntries, namedItems } from './shapes.ts'

/** Continue: an array in YAML, or JSON files of other hosts in its folder. */
export const continueDev: Dialect = {
  name: 'continue',
  title: 'Continue',
  format: 'yaml',
  locations: [
    { scope: 'user', path: '~/.continue/config.yaml' },
    { scope: 'project', path: '.continue/mcpServers/*.yaml' },
    { scope: 'project', path: '.continue/mcpServers/*.yml' },
    { scope: 'project', path: '.continue/mcpServers/*.json' },
  ],
  preset: { 'vars.unset': 'error' },
  facts: { 'vars.syntax': ['${{ secrets.NAME }}', '${{ inputs.NAME }}'] },
  root: {
    key: 'mcpServers',
    fits: (root) => fieldOf(root, 'mcpServers') !== undefined,
    locate: (root, context) => {
      const servers = fieldOf(root, 'mcpServers')
      if (servers === undefined) return []
      return servers.node.type === 'array'
        ? listEntries(namedItems(servers, 'uses'), context)
        : mapEntries(servers, context)
    },
    knownFields: 'any',
  },
  fields: {
    uses: refused(
      'it is a block of the Continue hub, which only Continue can load',
      'copy its definition here',
    ),
    name: { specFields: [], outcome: 'kept', note: 'the name', read: () => undefined },
    type: transport({ stdio: 'stdio', http: 'streamable-http', sse: 'sse' }),
    command: text('command'),
    args: list('args'),
    env: map('env'),
    cwd: text('cwd'),
    connectionTimeout: milliseconds('startMs'),
    url: address(),
    apiKey: bearerToken,
    requestOptions: group({
      headers: map('headers'),
      timeout: dropped('its unit is not documented'),
      verifySsl: dropped('certificates are always verified'),
      caBundlePath: dropped('certificates are configured for the whole process'),
      proxy: dropped('a proxy is configured for the whole process'),
    }),
    faviconUrl: dropped('it is decorative'),
    disabled: disabledUndocumented,
  },
  variables: { everything: 'continue' },
  addressMeans: 'http',
}
