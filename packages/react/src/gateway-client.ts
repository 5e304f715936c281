import {
  type ActivityQuery,
  type ActivityResponse,
  type ActivityTraceResponse,
  type AnswerRequest,
  type AnswerResponse,
  type CallToolRequest,
  type CallToolResponse,
  type ChangeServerRequest,
  type CompleteArgumentRequest,
  type CompleteArgumentResponse,
  type ConnectResponse,
  type ConfigDiffResponse,
  type ConfigResponse,
  type ConfigVersionsResponse,
  type DescribeRulesRequest,
  type DescribeRulesResponse,
  type DoctorEvent,
  type DryRunRequest,
  type DryRunResponse,
  type ExplainRequest,
  type ExplainResponse,
  type CreateKeyRequest,
  type CreateKeyResponse,
  type CredentialsResponse,
  type FinishServerSignInResponse,
  type GatewayEvent,
  type GetPromptRequest,
  type GetPromptResponse,
  type GrantsResponse,
  type FoundServersResponse,
  type ImportFoundRequest,
  type ImportRequest,
  type ImportResponse,
  type HostsResponse,
  type InboxResponse,
  type IssuerSignInRequest,
  type OwnAuditQuery,
  type OwnAuditResponse,
  type KeysResponse,
  paths,
  type PermissionsResponse,
  type PinsResponse,
  type PromptsResponse,
  type ReadResourceRequest,
  type ReadResourceResponse,
  type ResourcesResponse,
  type RestartResponse,
  type RevokeKeyResponse,
  type RollbackRequest,
  type SaveConfigRequest,
  type SaveConfigResponse,
  type SavePermissionsRequest,
  type SavePermissionsResponse,
  type SavedServerResponse,
  type SaveServerRequest,
  type ServerLogEvent,
  type ServerSignInResponse,
  type ServerSignOutResponse,
  type ServersResponse,
  type SignInOptionsResponse,
  type SignInResponse,
  type SignOutResponse,
  type StartCallResponse,
  type StartedCallResponse,
  type StartedCallsResponse,
  type SubscribeResourceResponse,
  type TestPermissionRequest,
  type TestPermissionResponse,
  type ToolsResponse,
} from '@toolbridge/api'
import { connect, type GatewayClientOptions, readEvents, readLiveEvents } from './gateway-connection.ts'

/** Options of every request. */
export interface GatewayRequestOptions {
  /** Aborts the request, which rejects with the signal's reason. Default: none. */
  readonly signal?: AbortSignal | undefined
}

/** Options of `signOut`. */
export interface SignOutOptions extends GatewayRequestOptions {
  /** Whether all sign-ins of the person end. Default: only this one. */
  readonly everywhere?: boolean
}

/** Client of the gateway's HTTP API. Every method rejects with a `GatewayError`. */
export interface GatewayClient {
  /** Exchanges a sign-in code for a bearer token. */
  signIn(code: string, options?: GatewayRequestOptions): Promise<SignInResponse>
  /** Returns how to sign in at an issuer. */
  signInOptions(options?: GatewayRequestOptions): Promise<SignInOptionsResponse>
  /** Exchanges a code of the issuer for a bearer token. */
  signInAtIssuer(request: IssuerSignInRequest, options?: GatewayRequestOptions): Promise<SignInResponse>
  /** Revokes the bearer token; with `everywhere`, all sign-ins of the person. */
  signOut(options?: SignOutOptions): Promise<SignOutResponse>
  /** Lists the person's API keys. */
  keys(options?: GatewayRequestOptions): Promise<KeysResponse>
  /** Creates an API key, whose token is in the response only. */
  createKey(key: CreateKeyRequest, options?: GatewayRequestOptions): Promise<CreateKeyResponse>
  /** Revokes an API key. */
  revokeKey(id: string, options?: GatewayRequestOptions): Promise<RevokeKeyResponse>
  /** Reads the saved servers. Secrets are returned as references, which can be saved again. */
  readConfig(options?: GatewayRequestOptions): Promise<ConfigResponse>
  /** Saves the servers as a new version. */
  saveConfig(request: SaveConfigRequest, options?: GatewayRequestOptions): Promise<SaveConfigResponse>
  /** Lists the versions of the saved servers that are kept, newest first. */
  configVersions(options?: GatewayRequestOptions): Promise<ConfigVersionsResponse>
  /** Compares two versions of the saved servers. */
  diffConfig(from: number, to: number, options?: GatewayRequestOptions): Promise<ConfigDiffResponse>
  /** Saves an earlier version of the servers again, as a new version. */
  rollBackConfig(request: RollbackRequest, options?: GatewayRequestOptions): Promise<SaveConfigResponse>
  /** Reads one saved server. Secrets are returned as references, which can be saved again. */
  readServer(name: string, options?: GatewayRequestOptions): Promise<SavedServerResponse>
  /** Adds or replaces one saved server. */
  saveServer(
    name: string,
    request: SaveServerRequest,
    options?: GatewayRequestOptions,
  ): Promise<SaveConfigResponse>
  /** Renames, enables or disables one saved server. Its secrets stay. */
  changeServer(
    name: string,
    request: ChangeServerRequest,
    options?: GatewayRequestOptions,
  ): Promise<SaveConfigResponse>
  /** Removes one saved server. `version` is the expected current version; default: any. */
  removeServer(
    name: string,
    options?: GatewayRequestOptions & { readonly version?: number },
  ): Promise<SaveConfigResponse>
  /** Reads the status of every server. */
  servers(options?: GatewayRequestOptions): Promise<ServersResponse>
  /** Restarts a server. Resolves before it has started. */
  restart(server: string, options?: GatewayRequestOptions): Promise<RestartResponse>
  /** Reports what a configuration, URL or command would amount to if it were saved. */
  explain(request: ExplainRequest, options?: GatewayRequestOptions): Promise<ExplainResponse>
  /** Saves servers of a configuration, URL or command. */
  importServers(request: ImportRequest, options?: GatewayRequestOptions): Promise<ImportResponse>
  /** Follows the history, the standard error and the messages of a server over one connection; does not reconnect. */
  serverLog(server: string, options?: GatewayRequestOptions): AsyncGenerator<ServerLogEvent>
  /** Lists the servers in the files of MCP hosts on the machine of the gateway. Only for the person who runs it. */
  foundServers(options?: GatewayRequestOptions): Promise<FoundServersResponse>
  /** Saves servers of those files. */
  importFound(request: ImportFoundRequest, options?: GatewayRequestOptions): Promise<ImportResponse>
  /** Diagnoses a server in stages. Ending the loop ends the diagnosis. */
  diagnose(server: string, options?: GatewayRequestOptions): AsyncGenerator<DoctorEvent>
  /** Begins a sign-in to a server. Open the URL in the browser of the person; it leads back to `paths.oauthCallbackPage`. */
  beginServerSignIn(server: string, options?: GatewayRequestOptions): Promise<ServerSignInResponse>
  /** Finishes a sign-in that the same person began, with the URL of the page that it led back to. */
  finishServerSignIn(url: string, options?: GatewayRequestOptions): Promise<FinishServerSignInResponse>
  /** Revokes and removes the tokens of the person for a server. */
  endServerSignIn(server: string, options?: GatewayRequestOptions): Promise<ServerSignOutResponse>
  /** Lists the accounts at servers, and the names of the values that were entered for servers. */
  credentials(options?: GatewayRequestOptions): Promise<CredentialsResponse>
  /** Deletes a value that was entered for a server. It is asked for again when it is needed. */
  deleteCredential(server: string, id: string, options?: GatewayRequestOptions): Promise<SuccessResponse>
  /** Lists the tools of the servers that are ready. */
  tools(options?: GatewayRequestOptions): Promise<ToolsResponse>
  /** Calls a tool. */
  callTool(request: CallToolRequest, options?: GatewayRequestOptions): Promise<CallToolResponse>
  /** Starts a call of a tool, which continues after the request. */
  startCall(request: CallToolRequest, options?: GatewayRequestOptions): Promise<StartCallResponse>
  /** Lists the started calls that are running or ended recently, oldest first. */
  startedCalls(options?: GatewayRequestOptions): Promise<StartedCallsResponse>
  /** Returns a started call: what the server reported, and the result once it has ended. */
  startedCall(id: string, options?: GatewayRequestOptions): Promise<StartedCallResponse>
  /** Cancels a started call, unless it has ended. */
  cancelCall(id: string, options?: GatewayRequestOptions): Promise<SuccessResponse>
  /** Lists resources and their templates. */
  resources(options?: GatewayRequestOptions): Promise<ResourcesResponse>
  /** Reads a resource. */
  readResource(request: ReadResourceRequest, options?: GatewayRequestOptions): Promise<ReadResourceResponse>
  /** Subscribes to a resource, or keeps a subscription for longer: events of the type `resource` tell of changes. */
  subscribeResource(
    request: ReadResourceRequest,
    options?: GatewayRequestOptions,
  ): Promise<SubscribeResourceResponse>
  /** Ends a subscription to a resource, if there is one. */
  unsubscribeResource(request: ReadResourceRequest, options?: GatewayRequestOptions): Promise<SuccessResponse>
  /** Lists prompts. */
  prompts(options?: GatewayRequestOptions): Promise<PromptsResponse>
  /** Gets the messages of a prompt. */
  getPrompt(request: GetPromptRequest, options?: GatewayRequestOptions): Promise<GetPromptResponse>
  /** Suggests values for an argument of a prompt or of a template. */
  complete(
    request: CompleteArgumentRequest,
    options?: GatewayRequestOptions,
  ): Promise<CompleteArgumentResponse>
  /** Reads the own permission rules. */
  permissions(options?: GatewayRequestOptions): Promise<PermissionsResponse>
  /** Replaces the own permission rules. */
  savePermissions(
    request: SavePermissionsRequest,
    options?: GatewayRequestOptions,
  ): Promise<SavePermissionsResponse>
  /** Explains rules, with the present tools that each covers. */
  describePermissions(
    request: DescribeRulesRequest,
    options?: GatewayRequestOptions,
  ): Promise<DescribeRulesResponse>
  /** Explains what rules say about a call. */
  testPermission(
    request: TestPermissionRequest,
    options?: GatewayRequestOptions,
  ): Promise<TestPermissionResponse>
  /** Evaluates rules on past calls. */
  dryRunPermissions(request: DryRunRequest, options?: GatewayRequestOptions): Promise<DryRunResponse>
  /** Lists the permanent approvals. */
  grants(options?: GatewayRequestOptions): Promise<GrantsResponse>
  /** Revokes a permanent approval. */
  revokeGrant(id: string, options?: GatewayRequestOptions): Promise<SuccessResponse>
  /** Lists the tools as they were approved, with what changed since. */
  pins(options?: GatewayRequestOptions): Promise<PinsResponse>
  /** Approves a tool as it is now. */
  acceptPin(tool: string, options?: GatewayRequestOptions): Promise<SuccessResponse>
  /** Forgets what was approved of a tool. */
  removePin(tool: string, options?: GatewayRequestOptions): Promise<SuccessResponse>
  /** Lists the open questions. */
  inbox(options?: GatewayRequestOptions): Promise<InboxResponse>
  /** Answers a question. */
  answer(id: string, answer: AnswerRequest, options?: GatewayRequestOptions): Promise<AnswerResponse>
  /** Returns what connects each MCP host to the MCP endpoint at `url`. */
  connectGuides(url: string, options?: GatewayRequestOptions): Promise<ConnectResponse>
  /** Lists the MCP hosts that have connected since the gateway started. */
  hosts(options?: GatewayRequestOptions): Promise<HostsResponse>
  /** Lists the latest calls. */
  activity(options?: GatewayRequestOptions & ActivityQuery): Promise<ActivityResponse>
  /** Returns what happened in a call. */
  trace(call: string, options?: GatewayRequestOptions): Promise<ActivityTraceResponse>
  /** Lists the latest uses of stored values. */
  audit(options?: GatewayRequestOptions & OwnAuditQuery): Promise<OwnAuditResponse>
  /** Reads the event stream over one connection; does not reconnect. */
  events(options?: GatewayRequestOptions): AsyncGenerator<GatewayEvent>
}

/** Creates a client. Sends nothing until a method is called. */
export function createGatewayClient(options: GatewayClientOptions = {}): GatewayClient {
  const connection = connect(options)
  return {
    signIn: (code, { signal } = {}) => connection.json('token', paths.signIn, { body: { code }, signal }),
    signInOptions: ({ signal } = {}) => connection.json('issuer', paths.signIn, { signal }),
    signInAtIssuer: (body, { signal } = {}) => connection.json('token', paths.signIn, { body, signal }),
    signOut: ({ signal, everywhere = false } = {}) =>
      connection.json('success', paths.signIn + (everywhere ? '?everywhere=1' : ''), {
        method: 'DELETE',
        signal,
      }),
    keys: ({ signal } = {}) => connection.json('keys', paths.keys, { signal }),
    createKey: (body, { signal } = {}) => connection.json('token', paths.keys, { body, signal }),
    revokeKey: (id, { signal } = {}) =>
      connection.json('success', paths.key(id), { method: 'DELETE', signal }),
    readConfig: ({ signal } = {}) => connection.json('mcpServers', `${paths.config}?masked=1`, { signal }),
    saveConfig: (body, { signal } = {}) => connection.json('version', paths.config, { body, signal }),
    configVersions: ({ signal } = {}) => connection.json('versions', paths.configVersions, { signal }),
    diffConfig: (from, to, { signal } = {}) =>
      connection.json('changes', `${paths.configDiff}?from=${from}&to=${to}`, { signal }),
    rollBackConfig: (body, { signal } = {}) =>
      connection.json('version', paths.configRollback, { body, signal }),
    readServer: (name, { signal } = {}) => connection.json('server', paths.server(name), { signal }),
    saveServer: (name, body, { signal } = {}) =>
      connection.json('version', paths.server(name), { method: 'PUT', body, signal }),
    changeServer: (name, body, { signal } = {}) =>
      connection.json('version', paths.server(name), { method: 'PATCH', body, signal }),
    removeServer: (name, { signal, version } = {}) => {
      const query = version === undefined ? '' : `?version=${version}`
      return connection.json('version', paths.server(name) + query, { method: 'DELETE', signal })
    },
    servers: ({ signal } = {}) => connection.json('servers', paths.servers, { signal }),
    restart: (server, { signal } = {}) =>
      connection.json('success', paths.restart(server), { body: {}, signal }),
    explain: (body, { signal } = {}) => connection.json('servers', paths.explain, { body, signal }),
    importServers: (body, { signal } = {}) =>
      connection.json('servers', paths.importServers, { body, signal }),
    serverLog: (server, { signal } = {}) =>
      readLiveEvents<ServerLogEvent>(connection, paths.serverLog(server), { signal }),
    foundServers: ({ signal } = {}) => connection.json('files', paths.found, { signal }),
    importFound: (body, { signal } = {}) => connection.json('servers', paths.importFound, { body, signal }),
    diagnose: (server, { signal } = {}) =>
      readEvents<DoctorEvent>(connection, paths.doctor(server), { body: {}, signal }),
    beginServerSignIn: (server, { signal } = {}) =>
      connection.json('url', paths.serverSignIn(server), { body: {}, signal }),
    finishServerSignIn: (url, { signal } = {}) =>
      connection.json('server', paths.oauthCallback, { body: { url }, signal }),
    endServerSignIn: (server, { signal } = {}) =>
      connection.json('success', paths.serverSignIn(server), { method: 'DELETE', signal }),
    credentials: ({ signal } = {}) => connection.json('inputs', paths.credentials, { signal }),
    deleteCredential: (server, id, { signal } = {}) =>
      connection.json('success', paths.credential(server, id), { method: 'DELETE', signal }),
    tools: ({ signal } = {}) => connection.json('tools', paths.tools, { signal }),
    callTool: (body, { signal } = {}) =>
      connection.json('content', paths.call, { body, signal, timeoutMs: null }),
    startCall: (body, { signal } = {}) => connection.json('call', paths.startedCalls, { body, signal }),
    startedCalls: ({ signal } = {}) => connection.json('calls', paths.startedCalls, { signal }),
    startedCall: (id, { signal } = {}) => connection.json('call', paths.startedCall(id), { signal }),
    cancelCall: (id, { signal } = {}) =>
      connection.json('success', paths.cancelCall(id), { body: {}, signal }),
    resources: ({ signal } = {}) => connection.json('resources', paths.resources, { signal }),
    readResource: (body, { signal } = {}) =>
      connection.json('contents', paths.readResource, { body, signal, timeoutMs: null }),
    subscribeResource: (body, { signal } = {}) =>
      connection.json('expiresAt', paths.subscribeResource, { body, signal, timeoutMs: null }),
    unsubscribeResource: (body, { signal } = {}) =>
      connection.json('success', paths.unsubscribeResource, { body, signal }),
    prompts: ({ signal } = {}) => connection.json('prompts', paths.prompts, { signal }),
    getPrompt: (body, { signal } = {}) =>
      connection.json('messages', paths.getPrompt, { body, signal, timeoutMs: null }),
    complete: (body, { signal } = {}) => connection.json('values', paths.complete, { body, signal }),
    permissions: ({ signal } = {}) => connection.json('rules', paths.permissions, { signal }),
    savePermissions: (body, { signal } = {}) =>
      connection.json('version', paths.permissions, { method: 'PUT', body, signal }),
    describePermissions: (body, { signal } = {}) =>
      connection.json('rules', paths.describePermissions, { body, signal }),
    testPermission: (body, { signal } = {}) =>
      connection.json('verdict', paths.testPermission, { body, signal }),
    dryRunPermissions: (body, { signal } = {}) => connection.json('changes', paths.dryRun, { body, signal }),
    grants: ({ signal } = {}) => connection.json('grants', paths.grants, { signal }),
    revokeGrant: (id, { signal } = {}) =>
      connection.json('success', paths.grant(id), { method: 'DELETE', signal }),
    pins: ({ signal } = {}) => connection.json('pins', paths.pins, { signal }),
    acceptPin: (tool, { signal } = {}) =>
      connection.json('success', paths.acceptPin(tool), { body: {}, signal }),
    removePin: (tool, { signal } = {}) =>
      connection.json('success', paths.pin(tool), { method: 'DELETE', signal }),
    inbox: ({ signal } = {}) => connection.json('items', paths.inbox, { signal }),
    answer: (id, body, { signal } = {}) => connection.json('success', paths.answer(id), { body, signal }),
    connectGuides: (url, { signal } = {}) =>
      connection.json('guides', `${paths.connect}?${new URLSearchParams({ url })}`, { signal }),
    hosts: ({ signal } = {}) => connection.json('hosts', paths.hosts, { signal }),
    activity: ({ signal, ...query } = {}) =>
      connection.json('entries', paths.activity + searchOf(query), { signal }),
    trace: (call, { signal } = {}) => connection.json('entry', paths.trace(call), { signal }),
    audit: ({ signal, ...query } = {}) =>
      connection.json('entries', paths.ownAudit + searchOf(query), { signal }),
    events: ({ signal } = {}) => readLiveEvents<GatewayEvent>(connection, paths.events, { signal }),
  }
}

interface SuccessResponse {
  /** Always true. */
  readonly success: true
}

function searchOf(query: ActivityQuery | OwnAuditQuery): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
