import { readServerMap } from '../server-map.ts'
import type { Dialect, DialectPolicy } from './dialect.ts'

/** `inputs` says how to ask for `${input:…}`; where one is used, that it cannot be is said there. */
const policy: DialectPolicy = { envValues: 'scalars', knownFields: ['$schema', 'inputs'] }

/** `servers`, as VS Code writes it. */
export const vscodeDialect: Dialect = {
  name: 'vscode',
  policy,
  recognises: (fields) => fields.some(({ key }) => key === 'servers'),
  read: (input) => readServerMap(input, 'servers', policy),
}
