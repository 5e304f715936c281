import { McpError } from '@toolbridge/client'
import { decisiveLine, isJsonObject, shellWord } from '@toolbridge/client/internal'
import type { StdioServerSpec } from '../config/spec/server-spec.ts'
import { failure } from './findings.ts'
import type { Finding } from './result.ts'
import type { Stage } from './stages.ts'

/** A finding with the stage that it belongs to. */
export interface StagedFinding {
  readonly stage: Stage
  readonly finding: Finding
}

/** Why a program did not become a server. Undefined for other errors. */
export function processFailure(
  error: McpError,
  { command, args }: StdioServerSpec,
  stderr: readonly string[],
): StagedFinding | undefined {
  const data = isJsonObject(error.data) ? error.data : {}
  if (typeof data['errno'] === 'string')
    return {
      stage: 'spawn',
      finding: failure('start_failed', error.message, `try it in a shell: ${shellWord(command)} …`),
    }
  const lines = stderrOf(data, stderr)
  const details = lines.length === 0 ? {} : { stderr: lines }
  // A program that is started by another one, or restarted, may be slow to end.
  const missing = error.kind === 'closed' || error.kind === 'timeout' ? missingModule(lines) : undefined
  if (missing !== undefined) {
    const seen = `the program does not find ${missing.what}`
    return { stage: 'first-byte', finding: failure('module_missing', seen, missing.fix, details) }
  }
  if (error.kind !== 'closed' || !('exitCode' in data)) return undefined
  return { stage: 'first-byte', finding: endOf(data, { command, args }, details) }
}

function stderrOf(data: Readonly<Record<string, unknown>>, current: readonly string[]): readonly string[] {
  const own = Array.isArray(data['stderr']) ? data['stderr'].map(String) : []
  return own.length > 0 ? own : current
}

function endOf(
  { exitCode, signal }: Readonly<Record<string, unknown>>,
  { command, args }: Pick<StdioServerSpec, 'command' | 'args'>,
  details: { readonly stderr?: readonly string[] },
): Finding {
  if (exitCode === 0) {
    const fix = `check "args" (now ${args.length}): the program may need an argument such as "stdio" or "serve", or it is not an MCP server`
    return failure(
      'exited_at_start',
      'the program exits with code 0 instead of waiting for messages',
      fix,
      details,
    )
  }
  const how = typeof signal === 'string' ? `is ended by ${signal}` : `exits with code ${String(exitCode)}`
  const reason = decisiveLine(details.stderr ?? []) ?? details.stderr?.at(-1)
  const seen = `the program ${how} before its first message${reason === undefined ? '' : `: ${reason}`}`
  const fix =
    reason === undefined
      ? `run it in a shell to see why: ${shellWord(command)} …`
      : 'solve what it says, which may be a missing argument or environment variable'
  return failure('crashed_at_start', seen, fix, details)
}

interface MissingModule {
  readonly what: string
  readonly fix: string
}

const patterns: readonly { readonly line: RegExp; readonly explain: (name: string) => MissingModule }[] = [
  { line: /Cannot find package '([^']+)'/, explain: missingPackage },
  {
    line: /Cannot find module '([^']+)'/,
    explain: (name) => (isPath(name) ? missingFile(name) : missingPackage(name)),
  },
  { line: /No module named '?([\w.]+)'?/, explain: missingPythonModule },
  { line: /can't open file '([^']+)'/, explain: missingFile },
]

/** Recognizes the messages of Node and Python. */
function missingModule(stderr: readonly string[]): MissingModule | undefined {
  for (const { line, explain } of patterns)
    for (const text of stderr.toReversed()) {
      const [, name] = line.exec(text) ?? []
      if (name !== undefined) return explain(name)
    }
  return undefined
}

function isPath(name: string): boolean {
  return /^(?:[./]|[A-Za-z]:\\)/.test(name)
}

function missingFile(path: string): MissingModule {
  return { what: `the file ${path}`, fix: `correct the path in "args", or build or create ${path}` }
}

function missingPackage(name: string): MissingModule {
  return {
    what: `the package ${name}`,
    fix: `run in the folder of the program: npm install ${shellWord(name)}`,
  }
}

function missingPythonModule(name: string): MissingModule {
  return {
    what: `the module ${name}`,
    fix: `install it for the Python that "command" starts: pip install ${shellWord(name)}`,
  }
}
