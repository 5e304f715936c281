/** `@toolbridge/bridge/code`: runs code that calls tools, in a sandbox. */

export type { CodeMode } from './adapters/run-code-tool.ts'
export type { CodeOutcome, CodeRequest } from './code/sandbox/code-run.ts'
export { type CodeRunner, type CodeRunnerOptions, createCodeRunner } from './code/sandbox/code-runner.ts'
export { type CodeLimits, defaultCodeLimits } from './code/sandbox/limits.ts'
export type { CodeFailure } from './code/sandbox/messages.ts'
export type { CodeFailureKind, ExceededLimit } from './journal/events/events.ts'
