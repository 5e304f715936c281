import { readServerMap } from '../server-map.ts'
import type { Dialect, DialectPolicy } from './dialect.ts'

const policy: DialectPolicy = { envValues: 'text', knownFields: ['$schema'] }

/** `mcpServers`, as Claude, Cursor and the portable `.mcp.json` write it. */
export const mcpServersDialect: Dialect = {
  name: 'mcp-servers',
  policy,
  recognises: (fields) => fields.some(({ key }) => key === 'mcpServers'),
  read: (input) => readServerMap(input, 'mcpServers', policy),
}
