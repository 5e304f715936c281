import { shellWord } from '@toolbridge/client/internal'
import { constants } from 'node:fs'
import { access, open } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { safeEnv } from '@toolbridge/client/stdio'
import { findProgram, type ProgramContext } from '../config/report/find-program.ts'
import { isPlain } from '../config/report/written-values.ts'
import type { Authority, ServerSpec, StdioServerSpec } from '../config/spec/server-spec.ts'
import { failure, fine } from './findings.ts'
import type { Finding } from './result.ts'

/** Finds the program of a resolved definition and the interpreter that it names, without running either. */
export async function checkProgram(
  resolved: StdioServerSpec,
  written: ServerSpec,
  authority: Authority & { readonly kind: 'local' },
): Promise<Finding> {
  const { command } = resolved
  const context = programContext(resolved, authority)
  const path = await findProgram(command, context)
  if (path === undefined) return missingProgram(command, context)
  const facts = isShown(written) ? { program: path } : {}
  const problem = await interpreterProblem(path, context)
  return problem === undefined ? fine(`the program is ${path}`, facts) : { ...problem, facts }
}

function programContext(
  { env: own, inheritEnv, cwd }: StdioServerSpec,
  authority: Authority & { readonly kind: 'local' },
): ProgramContext {
  const { platform } = process
  const env = inheritEnv === 'none' ? own : { ...safeEnv(authority.env, platform), ...own }
  return { env, cwd: cwd ?? authority.workspaceFolder, platform }
}

/** A path may contain a variable, whose value may be secret. */
function isShown(written: ServerSpec): boolean {
  return written.transport === 'stdio' && isPlain(written.command) && isPlain(written.cwd ?? '')
}

async function missingProgram(command: string, { cwd }: ProgramContext): Promise<Finding> {
  const path = resolve(cwd, command)
  const isPath = isAbsolute(command) || command.includes('/')
  if (isPath && (await isReadable(path)))
    return failure(
      'program_not_executable',
      `${path} may not be executed`,
      `run: chmod +x ${shellWord(path)}`,
    )
  const seen = isPath ? `there is no program at ${path}` : `there is no program "${command}" in PATH`
  const [first = ''] = command.split(/\s/)
  const fix = /\s/.test(command)
    ? `set "command" to "${first}" alone and move what follows it to "args"`
    : isPath
      ? `correct "command", or create ${path}`
      : `install ${command}${hints[command] ?? ''}, or set "command" to its full path`
  return failure('program_missing', seen, fix)
}

const hints: Readonly<Record<string, string>> = {
  npx: ' (it comes with Node.js)',
  uvx: ' (it comes with uv)',
}

async function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  )
}

/** The first line of a script names its interpreter: a path, or `/usr/bin/env` and a name. */
async function interpreterProblem(path: string, context: ProgramContext): Promise<Finding | undefined> {
  if (context.platform === 'win32') return undefined
  const line = await shebangOf(path)
  if (line === undefined) return undefined
  if (line.endsWith('\r')) {
    const seen = `the first line of ${path} ends with a carriage return, which becomes part of the interpreter's name`
    return failure('shebang_line_ending', seen, `save ${path} with Unix line endings`)
  }
  const [program = '', ...args] = line.trim().split(/\s+/)
  const name = program.endsWith('/env') ? args.find((arg) => !arg.startsWith('-')) : undefined
  for (const each of [program, name]) {
    if (each === undefined || each.includes('=') || (await findProgram(each, context)) !== undefined) continue
    const seen = `${path} begins with #!${line.trim()}, and there is no program ${each}`
    const fix = `correct the first line of ${path}, or set "command" to its interpreter and put ${path} first in "args"`
    return failure('interpreter_missing', seen, fix)
  }
  return undefined
}

/** The first line after `#!`, with a carriage return if it has one. */
async function shebangOf(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(512) })
    const text = buffer.toString('utf8', 0, bytesRead)
    return text.startsWith('#!') ? text.slice(2).split('\n', 1)[0] : undefined
  } finally {
    await file.close()
  }
}
