import { paths } from '../../paths.ts'
import { type Operation, topic } from '../operation.ts'
import { accountOperations } from './account.ts'
import { permissionOperations } from './permissions.ts'
import { recordOperations } from './records.ts'
import { serverOperations } from './servers.ts'
import { storeOperations } from './store.ts'
import { useOperations } from './use.ts'

/** Every operation, by topic. The MCP endpoint is not one of them: its contract is the MCP specification. */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...serverOperations,
  ...useOperations,
  ...permissionOperations,
  ...recordOperations,
  ...storeOperations,
  ...topic('Gateway', [
    {
      method: 'get',
      path: paths.health,
      id: 'checkHealth',
      summary: 'Checks that the gateway runs',
      access: 'anyone',
      openBecause: 'Whoever starts the gateway asks whether it runs, before anybody has signed in.',
      response: 'HealthResponse',
    },
    {
      method: 'get',
      path: paths.readiness,
      id: 'checkReadiness',
      summary: 'Checks that the gateway takes requests: it does not drain, and its store responds',
      access: 'anyone',
      openBecause: 'Load balancers ask before they send requests, and have no account.',
      response: 'HealthResponse',
    },
    {
      method: 'get',
      path: paths.openApi,
      id: 'describeApi',
      summary: 'Returns this description as OpenAPI 3.1',
      response: 'OpenApiDocument',
    },
  ]),
]
