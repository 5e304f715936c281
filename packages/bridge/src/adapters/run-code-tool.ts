import type { CallToolResult } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import type { Bridge } from '../bridge.ts'
import type { CallOptions } from '../call.ts'
import type { BridgeTool } from '../catalog/bridge-tool.ts'
import type { CodeOutcome } from '../code/sandbox/code-run.ts'
import type { CodeRunner } from '../code/sandbox/code-runner.ts'
import type { CodeFailure } from '../code/sandbox/messages.ts'
import { errorResult } from '../results/checked-output.ts'
import { type CodeFunctions, codeFunctions } from './code-functions.ts'
import type { MetaTool } from './meta-tools.ts'

/** Options for calling tools from code. */
export interface CodeMode {
  /** Runs the code: `createCodeRunner()` of `@toolbridge/bridge/code`. */
  readonly runner: Pick<CodeRunner, 'run'>
  /** Estimated tokens of the tools' declarations above which code finds them by `search_tools`. Default: 8,000. */
  readonly maxTokens?: number
}

interface CodeToolParts {
  readonly bridge: Bridge
  readonly code: CodeMode
  /** Returns whether the surface includes the tool. */
  readonly mayCall: (tool: BridgeTool) => boolean
}

/** The tool that runs code which calls the tools of the surface. */
export function runCodeTool({ bridge, code: { runner, maxTokens }, mayCall }: CodeToolParts): MetaTool {
  const functions = codeFunctions({ bridge, maxTokens, mayCall })
  return {
    name: 'run_code',
    description: `${usage}\n\n${functions.declaration}`,
    parameters: {
      type: 'object',
      properties: {
        code: { type: 'string', description: 'JavaScript or TypeScript, the body of an async function' },
      },
      required: ['code'],
      additionalProperties: false,
    },
    call: async (args, options) => {
      if (!isJsonObject(args) || typeof args['code'] !== 'string')
        return errorResult('run_code needs a text "code"')
      return resultOf(await runCode({ bridge, runner, functions }, args['code'], options))
    },
  }
}

const usage = `Runs JavaScript that calls tools, and returns what the code returns or logs: nothing else of the results is shown. \
The code is the body of an async function; it can use await, return and console.log, and has no network, files, timers or \
modules. Types of TypeScript are ignored. Each function of tools takes one object and rejects if the tool fails. Make \
independent calls at once with Promise.all, and return only what is needed.`

interface CodeRunParts {
  readonly bridge: Bridge
  readonly runner: CodeMode['runner']
  readonly functions: CodeFunctions
}

/** Runs code, and writes the run to the journal. The progress of a run is the number of its calls that have ended. */
async function runCode(
  { bridge, runner, functions }: CodeRunParts,
  code: string,
  { onProgress, ...options }: CallOptions,
): Promise<CodeOutcome> {
  const run = bridge.startCodeRun(options)
  const callOptions = { ...options, approved: false, parent: run.id }
  let calls = 0
  let ended = 0
  try {
    const outcome = await runner.run({
      code,
      functions: functions.names,
      signal: options.signal,
      call: (name, args, signal) => {
        calls += 1
        return functions.call(name, args, { ...callOptions, signal }).finally(() => {
          if (!signal.aborted) onProgress?.({ progress: (ended += 1), message: name })
        })
      },
    })
    const { failure } = outcome
    run.finished({ outcome: failure ? 'failed' : 'ok', failure: failure?.kind, limit: failure?.limit, calls })
    return outcome
  } catch (error) {
    run.finished({ outcome: options.signal?.aborted === true ? 'cancelled' : 'failed', calls })
    throw error
  }
}

function resultOf({ value, logs, failure, cancelledCalls }: CodeOutcome): CallToolResult {
  const logged = logs.length === 0 ? [] : [`Logs:\n${logs.join('\n')}`]
  const late = cancelledCalls === 0 ? [] : [`${cancelledCalls} calls were not awaited, and were cancelled.`]
  if (failure !== undefined) return errorResult([...logged, failureText(failure), ...late].join('\n\n'))
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'The code returned nothing.')
  return { content: [{ type: 'text', text: [...logged, text, ...late].join('\n\n') }] }
}

function failureText({ kind, limit, line, message }: CodeFailure): string {
  const what = kind === 'limit' ? `The code exceeded its limit on ${limit}` : 'The code failed'
  return `${what}${line === undefined ? '' : ` (line ${line})`}: ${message}`
}
