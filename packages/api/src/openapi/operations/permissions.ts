import { paths } from '../../paths.ts'
import { type Operation, topic } from '../operation.ts'

export const permissionOperations: readonly Operation[] = topic('Permissions', [
  {
    method: 'get',
    path: paths.permissions,
    id: 'readPermissions',
    summary: 'Returns the own permission rules',
    response: 'PermissionsResponse',
  },
  {
    method: 'put',
    path: paths.permissions,
    id: 'savePermissions',
    summary: 'Replaces the own permission rules',
    request: 'SavePermissionsRequest',
    response: 'SavePermissionsResponse',
  },
  {
    method: 'post',
    path: paths.describePermissions,
    id: 'describePermissions',
    summary: 'Explains each rule in a sentence, with the present tools that it covers',
    request: 'DescribeRulesRequest',
    response: 'DescribeRulesResponse',
  },
  {
    method: 'post',
    path: paths.testPermission,
    id: 'testPermission',
    summary: 'Explains what rules say about a call, without making it',
    request: 'TestPermissionRequest',
    response: 'TestPermissionResponse',
  },
  {
    method: 'post',
    path: paths.dryRun,
    id: 'dryRunPermissions',
    summary: 'Evaluates rules on the calls in the activity',
    request: 'DryRunRequest',
    response: 'DryRunResponse',
  },
  {
    method: 'get',
    path: paths.grants,
    id: 'listGrants',
    summary: 'Lists the permanent approvals',
    response: 'GrantsResponse',
  },
  {
    method: 'delete',
    path: `${paths.grants}/{id}`,
    id: 'revokeGrant',
    summary: 'Revokes a permanent approval',
    response: 'Success',
  },
  {
    method: 'get',
    path: paths.pins,
    id: 'listPins',
    summary: 'Lists the tools as they were approved, with what changed since',
    response: 'PinsResponse',
  },
  {
    method: 'post',
    path: `${paths.pins}/{tool}/accept`,
    id: 'acceptPin',
    summary: 'Approves a tool as it is now',
    response: 'Success',
  },
  {
    method: 'delete',
    path: `${paths.pins}/{tool}`,
    id: 'removePin',
    summary: 'Forgets what was approved of a tool',
    response: 'Success',
  },
])
