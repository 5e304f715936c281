/** Building blocks shared by Toolbridge's own packages. They may change in any release. */

export { sendToolCall, type ToolCallSender } from './features/send-tool-call.ts'
export { FileError, hasErrorCode } from './files/file-error.ts'
export { type LockHolder, tryNumberedLock } from './files/numbered-lock.ts'
export { createFileOnce } from './files/private-files.ts'
export { currentProcess, isPidInUse } from './files/process-identity.ts'
export { type RecordFolder, recordFolder } from './files/record-folder.ts'
export { OrderedHttpTransport } from './transports/http/ordered-http-transport.ts'
