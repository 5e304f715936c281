import { readServerMap } from '../server-map.ts'
import type { Dialect, DialectPolicy } from './dialect.ts'

const policy: DialectPolicy = { envValues: 'scalars' }

/** `servers`, as VS Code writes it. */
export const vscodeDialect: Dialect = {
  name: 'vscode',
  policy,
  recognises: (fields) => fields.some(({ key }) => key === 'servers'),
  read: (input) => readServerMap(input, 'servers', policy),
}
