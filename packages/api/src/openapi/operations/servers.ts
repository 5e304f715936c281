import { paths } from '../../paths.ts'
import { type Operation, topic } from '../operation.ts'

export const serverOperations: readonly Operation[] = topic('Servers', [
  {
    method: 'get',
    path: paths.config,
    id: 'readConfig',
    summary: 'Returns the saved servers',
    query: { masked: '`1` returns references instead of secrets' },
    response: 'ConfigResponse',
  },
  {
    method: 'post',
    path: paths.config,
    id: 'saveConfig',
    summary: 'Saves the servers as a new version and applies it',
    request: 'SaveConfigRequest',
    response: 'SaveConfigResponse',
  },
  {
    method: 'post',
    path: paths.explain,
    id: 'explainText',
    summary: 'Reports what a configuration, URL or command would amount to if it were saved',
    request: 'ExplainRequest',
    response: 'ExplainResponse',
  },
  {
    method: 'get',
    path: paths.servers,
    id: 'listServers',
    summary: 'Returns the status of every server',
    response: 'ServersResponse',
  },
  {
    method: 'post',
    path: `${paths.servers}/{name}/restart`,
    id: 'restartServer',
    summary: 'Restarts a server and does not wait for it',
    response: 'Success',
  },
  {
    method: 'post',
    path: `${paths.servers}/{name}/doctor`,
    id: 'diagnoseServer',
    summary: 'Diagnoses a server in stages and streams the findings; ending the request ends it',
    response: 'DoctorEvent',
    isStream: true,
  },
])
