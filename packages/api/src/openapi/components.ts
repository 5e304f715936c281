import { z } from 'zod'
import { finishServerSignInRequestSchema } from '../accounts.ts'
import { verificationRequestSchema } from '../audit.ts'
import { rollbackRequestSchema } from '../config-versions.ts'
import { saveConfigRequestSchema } from '../config.ts'
import { explainRequestSchema } from '../explain.ts'
import { importFoundRequestSchema } from '../found.ts'
import { importRequestSchema } from '../import.ts'
import { answerRequestSchema } from '../inbox.ts'
import { createKeyRequestSchema } from '../keys.ts'
import {
  describeRulesRequestSchema,
  dryRunRequestSchema,
  savePermissionsRequestSchema,
  testPermissionRequestSchema,
} from '../permissions.ts'
import {
  completeArgumentRequestSchema,
  getPromptRequestSchema,
  readResourceRequestSchema,
} from '../resources.ts'
import { changeServerRequestSchema, saveServerRequestSchema } from '../servers.ts'
import { signInRequestSchema } from '../sign-in.ts'
import { rotateRequestSchema } from '../store-keys.ts'
import { callToolRequestSchema } from '../tools.ts'
import { workflowInvokeRequestSchema } from '../workflow.ts'
import {
  activityEntrySchema,
  activityResponseSchema,
  activityTraceResponseSchema,
  gatewayEventSchema,
} from './responses/activity.ts'
import { ownAuditResponseSchema } from './responses/own-audit.ts'
import { credentialsResponseSchema } from './responses/credentials.ts'
import { problemSchema, successSchema } from './responses/common.ts'
import { configDiffResponseSchema, configVersionsResponseSchema } from './responses/config-versions.ts'
import { doctorEventSchema, doctorFindingSchema } from './responses/doctor.ts'
import {
  explainedServerSchema,
  explainResponseSchema,
  foundServersResponseSchema,
  importResponseSchema,
} from './responses/explain.ts'
import { connectResponseSchema, hostsResponseSchema } from './responses/hosts.ts'
import { inboxItemSchema, inboxResponseSchema } from './responses/inbox.ts'
import {
  describeRulesResponseSchema,
  dryRunResponseSchema,
  grantsResponseSchema,
  permissionsResponseSchema,
  pinsResponseSchema,
  savePermissionsResponseSchema,
  testPermissionResponseSchema,
} from './responses/permissions.ts'
import {
  completeArgumentResponseSchema,
  getPromptResponseSchema,
  promptSummarySchema,
  promptsResponseSchema,
  readResourceResponseSchema,
  resourceSummarySchema,
  resourcesResponseSchema,
  resourceTemplateSummarySchema,
  subscribeResourceResponseSchema,
} from './responses/resources.ts'
import {
  configResponseSchema,
  finishServerSignInResponseSchema,
  saveConfigResponseSchema,
  savedServerResponseSchema,
  serverEntrySchema,
  serverSignInResponseSchema,
  serverStatusSchema,
  serversResponseSchema,
} from './responses/servers.ts'
import { serverLogEventSchema } from './responses/server-log.ts'
import {
  createKeyResponseSchema,
  keySummarySchema,
  keysResponseSchema,
  removePersonResponseSchema,
  signInCodeResponseSchema,
  signInOptionsResponseSchema,
  signInResponseSchema,
} from './responses/sign-in.ts'
import {
  startCallResponseSchema,
  startedCallResponseSchema,
  startedCallSchema,
  startedCallsResponseSchema,
} from './responses/started-calls.ts'
import {
  auditResponseSchema,
  rotationEventSchema,
  storeKeysResponseSchema,
  verificationResponseSchema,
} from './responses/store.ts'
import {
  callToolResponseSchema,
  toolSummarySchema,
  toolsResponseSchema,
  workflowInvokeResponseSchema,
} from './responses/tools.ts'

/** Schemas of request bodies by name. */
export const requests: Readonly<Record<string, z.ZodType>> = {
  SignInRequest: signInRequestSchema,
  CreateKeyRequest: createKeyRequestSchema,
  SaveConfigRequest: saveConfigRequestSchema,
  SaveServerRequest: saveServerRequestSchema,
  ChangeServerRequest: changeServerRequestSchema,
  FinishServerSignInRequest: finishServerSignInRequestSchema,
  RollbackRequest: rollbackRequestSchema,
  ExplainRequest: explainRequestSchema,
  ImportRequest: importRequestSchema,
  ImportFoundRequest: importFoundRequestSchema,
  CallToolRequest: callToolRequestSchema,
  ReadResourceRequest: readResourceRequestSchema,
  GetPromptRequest: getPromptRequestSchema,
  CompleteArgumentRequest: completeArgumentRequestSchema,
  SavePermissionsRequest: savePermissionsRequestSchema,
  DescribeRulesRequest: describeRulesRequestSchema,
  TestPermissionRequest: testPermissionRequestSchema,
  DryRunRequest: dryRunRequestSchema,
  AnswerRequest: answerRequestSchema,
  RotateRequest: rotateRequestSchema,
  VerificationRequest: verificationRequestSchema,
  WorkflowInvokeRequest: workflowInvokeRequestSchema,
}

/** Schemas of responses and their parts by name. */
export const responses: Readonly<Record<string, z.ZodType>> = {
  Problem: problemSchema,
  Success: successSchema,
  HealthResponse: z.object({ status: z.literal('ok') }),
  OpenApiDocument: z.looseObject({ openapi: z.string() }),
  SignInOptionsResponse: signInOptionsResponseSchema,
  SignInResponse: signInResponseSchema,
  SignInCodeResponse: signInCodeResponseSchema,
  RemovePersonResponse: removePersonResponseSchema,
  KeySummary: keySummarySchema,
  KeysResponse: keysResponseSchema,
  CreateKeyResponse: createKeyResponseSchema,
  ServerEntry: serverEntrySchema,
  ConfigResponse: configResponseSchema,
  SaveConfigResponse: saveConfigResponseSchema,
  SavedServerResponse: savedServerResponseSchema,
  ServerSignInResponse: serverSignInResponseSchema,
  FinishServerSignInResponse: finishServerSignInResponseSchema,
  ConfigVersionsResponse: configVersionsResponseSchema,
  ConfigDiffResponse: configDiffResponseSchema,
  ServerStatus: serverStatusSchema,
  ServersResponse: serversResponseSchema,
  ExplainedServer: explainedServerSchema,
  ExplainResponse: explainResponseSchema,
  ImportResponse: importResponseSchema,
  ServerLogEvent: serverLogEventSchema,
  FoundServersResponse: foundServersResponseSchema,
  DoctorFinding: doctorFindingSchema,
  DoctorEvent: doctorEventSchema,
  ToolSummary: toolSummarySchema,
  ToolsResponse: toolsResponseSchema,
  CallToolResponse: callToolResponseSchema,
  StartedCall: startedCallSchema,
  StartedCallsResponse: startedCallsResponseSchema,
  StartCallResponse: startCallResponseSchema,
  StartedCallResponse: startedCallResponseSchema,
  ResourceSummary: resourceSummarySchema,
  ResourceTemplateSummary: resourceTemplateSummarySchema,
  ResourcesResponse: resourcesResponseSchema,
  ReadResourceResponse: readResourceResponseSchema,
  SubscribeResourceResponse: subscribeResourceResponseSchema,
  PromptSummary: promptSummarySchema,
  PromptsResponse: promptsResponseSchema,
  GetPromptResponse: getPromptResponseSchema,
  CompleteArgumentResponse: completeArgumentResponseSchema,
  PermissionsResponse: permissionsResponseSchema,
  SavePermissionsResponse: savePermissionsResponseSchema,
  DescribeRulesResponse: describeRulesResponseSchema,
  TestPermissionResponse: testPermissionResponseSchema,
  DryRunResponse: dryRunResponseSchema,
  GrantsResponse: grantsResponseSchema,
  PinsResponse: pinsResponseSchema,
  InboxItem: inboxItemSchema,
  InboxResponse: inboxResponseSchema,
  ConnectResponse: connectResponseSchema,
  HostsResponse: hostsResponseSchema,
  ActivityEntry: activityEntrySchema,
  ActivityResponse: activityResponseSchema,
  ActivityTraceResponse: activityTraceResponseSchema,
  CredentialsResponse: credentialsResponseSchema,
  OwnAuditResponse: ownAuditResponseSchema,
  StoreKeysResponse: storeKeysResponseSchema,
  RotationEvent: rotationEventSchema,
  AuditResponse: auditResponseSchema,
  VerificationResponse: verificationResponseSchema,
  GatewayEvent: gatewayEventSchema,
  WorkflowInvokeResponse: workflowInvokeResponseSchema,
}
