/** Building blocks shared by Toolbridge's own packages. Not part of the public API: may change in any release. */

export { isVisibleToModel } from './is-visible-to-model.ts'
export { abortable } from './async/abortable.ts'
export { KeyedMutex } from './async/keyed-mutex.ts'
export { type LinkedSignal, linkedSignal } from './async/linked-signal.ts'
export { authorizationUrl } from './auth/grants/authorization-url.ts'
export { callbackParameters, processCallback } from './auth/grants/callback.ts'
export { createPkce, createState } from './auth/crypto/pkce.ts'
export { createAuthSend } from './auth/http/create-auth-send.ts'
export { isLoopbackHostname } from './auth/messages/endpoint-url.ts'
export { leaseQueue } from './auth/stores/lease-queue.ts'
export { FLOW_LIFETIME_MS, isExpiredFlow } from './auth/stores/memory-auth-store.ts'
export { sendToolCall, type ToolCallSender } from './features/send-tool-call.ts'
export { FileError, hasErrorCode, isDiskFull } from './files/file-error.ts'
export { type LockHolder, tryNumberedLock } from './files/numbered-lock.ts'
export {
  createFileOnce,
  ensurePrivateFolder,
  isOwn,
  readFileIfExists,
  replaceFile,
} from './files/private-files.ts'
export { currentProcess, isPidInUse } from './files/process-identity.ts'
export { type RecordFolder, recordFolder } from './files/record-folder.ts'
export { isTooDeep, MAX_DEPTH } from './jsonrpc/depth.ts'
export { guardedFetch, proxiedFetch } from './http/proxied-fetch.ts'
export { isJsonObject, type JsonObject } from './jsonrpc/json.ts'
export { jsonFault, type JsonLimits } from './jsonrpc/reading/json-fault.ts'
export { refusedMessage } from './jsonrpc/reading/refused-message.ts'
export { type MessageObserver, observeMessages } from './jsonrpc/observe-messages.ts'
export { everyNameOf } from './naming/every-name.ts'
export { namespaceOf } from './naming/server-namespace.ts'
export { defaultNaming, type NamingPolicy, namingPolicy } from './naming/naming-policy.ts'
export { firstName, mayBeNameOf, plainName, type ToolPair } from './naming/tool-names.ts'
export { type FirstNamed, nameTools, type PublicName, resolveNames } from './naming/unique-names.ts'
export { agentResultBy } from './agent-content.ts'
export {
  defaultTextPolicy,
  markedPartsBy,
  markedTextBy,
  mediaPlaceholder,
  type ResultPart,
  resultParts,
  textBy,
  type TextPolicy,
} from './result-text.ts'
export { LATEST_MODERN_VERSION, supportedVersions } from './revisions/versions.ts'
export { deepEqual } from './schema/deep-equal.ts'
export { decodedFragment, pointerSteps, valueAt } from './schema/json-pointer.ts'
export { type Matcher, safeRegExp } from './schema/safe-reg-exp.ts'
export { SchemaReader, typeName } from './schema/schema-reader.ts'
export { schemaProblems } from './schema/schema-problems.ts'
export { decisiveLine, decisiveLines } from './process/decisive-line.ts'
export { type LocalProcesses, localProcesses } from './process/local-processes.ts'
export { type RunningServer, runningServers } from './process/running-servers.ts'
export { stopRunningServer } from './process/stop-running-server.ts'
export { escapeInvisible } from './text/escape-invisible.ts'
export { nearestName, suggestName } from './text/nearest-name.ts'
export { parsedUrl } from './text/parsed-url.ts'
export { oneLine, textBefore, withoutEnding } from './text/parts.ts'
export { printable, type PrintableOptions } from './text/printable.ts'
export { shellWord } from './text/shell-word.ts'
export { CoarseClock } from './timing/coarse-clock.ts'
export { delay } from './timing/delay.ts'
export { OrderedHttpTransport } from './transports/http/ordered-http-transport.ts'
export { observeStderr } from './transports/stdio/observe-stderr.ts'
export { comment } from './typescript/comment.ts'
export { keyText, literalText, objectKeyText, TypeNames } from './typescript/names.ts'
export { type InlineType, printInline, printTypes } from './typescript/type-printer.ts'
