import type { Answerer, Bridge, BridgeTool } from '@toolbridge/bridge'
import type { CallToolResult } from '@toolbridge/client'
import { textBy } from '@toolbridge/client/internal'
import { approving } from '../servers/approvals.ts'
import { askArguments } from '../arguments/ask-arguments.ts'
import { callArguments } from '../arguments/call-arguments.ts'
import { type Invocation, textOption } from '../command.ts'
import { requireConfiguration } from '../configuration.ts'
import { ExitCode } from '../exit-code.ts'
import { findTool, nearestTool, serversThatMayHave } from '../servers/find-tool.ts'
import { type GivenArguments, givenArguments } from '../arguments/given-arguments.ts'
import { messagesFrom } from '../messages.ts'
import { effectivePermissions } from '../permissions/effective-permissions.ts'
import { printResult } from '../display/print-result.ts'
import { ProgressLine } from '../display/progress-line.ts'
import { mediaIn, type OutputTarget, outputTarget, saveAs, saveMedia } from '../display/save-media.ts'
import { describeFailure, failureCode, hasNotStarted } from '../server-failure.ts'
import { keyboardOf, openTerminalBridge } from '../terminal-bridge.ts'
import { mayReuse } from '../reused-servers.ts'
import { beginClosing } from '../servers/selected-servers.ts'
import { isInteractive, printError, printErrorText, printText, type Terminal } from '../terminal.ts'
import { timeoutsFrom } from '../timeouts.ts'
import { UsageError } from '../usage-error.ts'

/** What the command line asks for. */
interface Request extends Invocation {
  readonly name: string
  readonly given: GivenArguments
  readonly target: OutputTarget | undefined
}

export async function callTool(invocation: Invocation): Promise<ExitCode> {
  const startAs = timeoutsFrom(invocation.options)
  const request = await readRequest(invocation)
  const { options, terminal, name } = request
  const { servers: needed, files } = await requireConfiguration(terminal, options, (servers) =>
    serversThatMayHave(servers, name),
  )
  const { rules } = await effectivePermissions(terminal, options, files)
  setImmediate(prepareCryptography)
  const line = new ProgressLine(terminal)
  const keyboard = keyboardOf(terminal, () => line.clear())
  await using bridge = await openTerminalBridge(terminal, needed, {
    startAs,
    keyboard,
    messages: messagesFrom(options),
    permissions: rules,
    mayReuse: mayReuse(options),
    beforePrint: () => line.clear(),
  })
  const tool = findTool(bridge.tools, name)
  if (tool === undefined) return missingTool(bridge, name, terminal)
  const result = await callWith(bridge, tool, request, { line, keyboard })
  await beginClosing(bridge)
  await present(result, tool, bridge, request)
  return result.isError === true ? ExitCode.ToolFailed : ExitCode.Ok
}

/** Every call needs it. Loading and first using it takes milliseconds, in which the servers start. */
function prepareCryptography(): void {
  const { createHash, randomUUID } = process.getBuiltinModule('node:crypto')
  createHash('sha256')
  randomUUID()
}

/** Reads everything that can be wrong before a server is started. */
async function readRequest(invocation: Invocation): Promise<Request> {
  const { positionals, options, terminal } = invocation
  const [name, ...words] = positionals
  if (name === undefined) throw new UsageError('missing tool. See: toolbridge tools')
  if (options['form'] === true && !isInteractive(terminal))
    throw new UsageError('--form needs a terminal. Without one, give the arguments as name=value')
  return {
    ...invocation,
    name,
    target: await outputTarget(invocation),
    given: await givenArguments(words, textOption(options, 'json'), terminal),
  }
}

async function callWith(
  bridge: Bridge,
  tool: BridgeTool,
  { given, options, terminal }: Request,
  { line, keyboard }: { readonly line: ProgressLine; readonly keyboard: Answerer | undefined },
): Promise<CallToolResult> {
  const target = {
    name: tool.name,
    schema: tool.definition.inputSchema,
    allowsUnknown: options['allow-unknown'] === true,
  }
  const args =
    options['form'] === true
      ? await askArguments(tool, given, target, terminal)
      : callArguments(given, target)
  try {
    return await bridge.call(tool.name, args, {
      signal: terminal.signal,
      onProgress: (progress) => {
        if (options['trace'] !== true) line.show(progress)
      },
      ...(options['yes'] === true ? { answerer: approving(keyboard) } : {}),
    })
  } finally {
    line.clear()
  }
}

/** Reports the servers that failed to start, which may have the tool. Throws if there are none. */
function missingTool(bridge: Bridge, name: string, terminal: Terminal): ExitCode {
  const failed = bridge.status().filter(hasNotStarted)
  const [disabled] = bridge.status().filter((server) => server.state === 'disabled')
  for (const line of failed.flatMap(describeFailure)) printError(terminal, line)
  if (failed.length > 0) return failureCode(failed)
  const nearest = nearestTool(bridge.tools, name)
  const because = disabled === undefined ? '' : `; server "${disabled.name}" is disabled`
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  throw new UsageError(`unknown tool "${name}"${because}.${hint} See: toolbridge tools`)
}

const saveHint = 'toolbridge: save images, audio and files of the result with --output <file or folder>'

/** Saves and prints a result, as text in the way of the host of the server's definition. */
async function present(
  result: CallToolResult,
  tool: BridgeTool,
  { results }: Bridge,
  request: Request,
): Promise<void> {
  const { target, terminal } = request
  const media = mediaIn(result.content)
  const text = textBy(results.policyOf(result), result)
  const isTextSaved = target?.kind === 'file' && media.length === 0 && result.isError !== true
  if (target !== undefined) await saveMedia(media, target, tool.name, terminal)
  if (isTextSaved) await saveAs(target.path, text)
  printResult(request, result, () => {
    if (result.isError === true) printErrorText(terminal, text)
    else if (!isTextSaved) printText(terminal, text)
    if (media.length > 0 && target === undefined && terminal.stderr.isTTY === true)
      printError(terminal, saveHint)
  })
}
