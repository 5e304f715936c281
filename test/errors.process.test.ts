import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  ConfigError,
  type ConfigErrorCode,
  DeniedError,
  type DeniedErrorCode,
} from '../packages/bridge/src/index.ts'
import { ModelError } from '../packages/agent/src/model-error.ts'
import { ExitCode } from '../packages/cli/src/exit-code.ts'
import { exitCodeOf } from '../packages/cli/src/report-error.ts'
import { McpError, type McpErrorKind } from '../packages/client/src/index.ts'
import { McpAuthError } from '../packages/client/src/auth.ts'
import { problemTable } from '../packages/gateway/src/errors/problems.ts'
import {
  LockboxError,
  type LockboxErrorCode,
  SealError,
  type SealErrorCode,
} from '../packages/lockbox/src/index.ts'
import { readText, root } from './house/repository.ts'

/** The families that can end a command. What is wrong with a request to the gateway never does. */
const errorsOf: Readonly<Record<Exclude<keyof typeof problemTable, 'gateway'>, (code: string) => Error>> = {
  mcp: (kind) => new McpError('', { kind: kind as McpErrorKind, code: 0 }),
  denied: (code) => new DeniedError('', { code: code as DeniedErrorCode }),
  config: (code) => new ConfigError('', { code: code as ConfigErrorCode, issues: [] }),
  seal: (code) => new SealError(code as SealErrorCode, ''),
  lockbox: (code) => new LockboxError(code as LockboxErrorCode, ''),
}

const rows = Object.entries(errorsOf).flatMap(([family, make]) =>
  Object.keys(problemTable[family as keyof typeof errorsOf]).map((code) => ({
    family,
    code,
    error: make(code),
  })),
)

test.each(rows)('$family error $code ends a command with a status of its own kind', ({ error }) => {
  expect([ExitCode.Ok, ExitCode.Bug, ExitCode.Cancelled]).not.toContain(exitCodeOf(error))
})

test('an error of authorization ends a command like a server that cannot be reached', () => {
  const error = new McpAuthError('', { code: 'invalid_grant', stage: 'refresh', fix: '' })
  expect(exitCodeOf(error)).toBe(ExitCode.Link)
})

test.each([
  ['no_key', ExitCode.Config],
  ['unknown_provider', ExitCode.Config],
  ['invalid_model', ExitCode.Config],
  ['failed', ExitCode.Link],
] as const)('the error %s of a model ends a command with status %i', (code, status) => {
  expect(exitCodeOf(new ModelError(code, ''))).toBe(status)
})

test('docs/errors.md is what scripts/generate-errors.mjs makes of the built packages', () => {
  execFileSync(process.execPath, [join(root, 'scripts/generate-errors.mjs'), '--check'], { stdio: 'pipe' })
})

test('every row of docs/errors.md has a description', () => {
  const rows = readText('docs/errors.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
  expect(rows.filter((row) => /\|\s*\|/.test(row) || row.includes('undefined'))).toEqual([])
})
