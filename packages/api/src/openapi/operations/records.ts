import { paths } from '../../paths.ts'
import { type Operation, topic } from '../operation.ts'

/** What happened. */
export const recordOperations: readonly Operation[] = [
  ...topic('Activity', [
    {
      method: 'get',
      path: paths.activity,
      id: 'listActivity',
      summary: 'Lists the latest calls, newest first',
      query: {
        server: 'Only calls of this server',
        tool: 'Only calls of this tool, by public name',
        outcome: 'Only calls that ended so: `ok`, `tool_error`, `failed`, `denied` or `cancelled`',
        parent: 'Only calls that this made: the id of a call or of a run of code',
        from: 'Only calls that ended at this time or later, as ISO 8601',
        to: 'Only calls that ended before this time, as ISO 8601',
        cursor: '`next` of the response with the calls before',
        limit: 'Number of calls, from 1 to 200. Default: 200',
      },
      response: 'ActivityResponse',
    },
    {
      method: 'get',
      path: `${paths.activity}/{id}`,
      id: 'showCall',
      summary: 'Returns what happened in a call: permission, questions, arguments, result, inner calls',
      response: 'ActivityTraceResponse',
    },
    {
      method: 'get',
      path: paths.connect,
      id: 'showConnect',
      summary: 'Returns what connects each MCP host to this gateway, in its own dialect',
      query: { url: 'Address of the MCP endpoint, as the host reaches it' },
      response: 'ConnectResponse',
    },
    {
      method: 'get',
      path: paths.hosts,
      id: 'listHosts',
      summary: 'Lists the MCP hosts that have connected since the gateway started',
      response: 'HostsResponse',
    },
    {
      method: 'get',
      path: paths.events,
      id: 'followEvents',
      summary: 'Streams what changes',
      response: 'GatewayEvent',
      isStream: true,
    },
    {
      method: 'get',
      path: paths.credentials,
      id: 'listCredentials',
      summary: 'Lists the names of the values that were entered for servers, and the accounts at servers',
      response: 'CredentialsResponse',
    },
    {
      method: 'delete',
      path: `${paths.credentials}/{server}/{id}`,
      id: 'deleteCredential',
      summary: 'Deletes a value that was entered for a server',
      response: 'Success',
    },
    {
      method: 'delete',
      path: `${paths.accounts}/{id}`,
      id: 'removeAccount',
      summary: 'Signs out of an account at a server and deletes it',
      response: 'Success',
    },
    {
      method: 'get',
      path: paths.ownAudit,
      id: 'listOwnAudit',
      summary: 'Lists the latest uses of the stored values, newest first',
      query: { limit: 'Number of entries, from 1 to 500. Default: 100' },
      response: 'OwnAuditResponse',
    },
  ]),
]
