import type { BridgeTool } from '@toolbridge/bridge'
import { type Colors, colorsFor } from '../colors.ts'
import { type Invocation, type Options, textOptions } from '../command.ts'
import { printResult } from '../display/print-result.ts'
import type { ExitCode } from '../exit-code.ts'
import { printable } from '../printable.ts'
import { type Parameter, parametersOf, parameterText, signatureOf } from '../arguments/parameters.ts'
import { deniedTools } from '@toolbridge/bridge/permissions'
import { beginClosing, openSelected, reportFailures } from '../servers/selected-servers.ts'
import { print, printError } from '../terminal.ts'
import { widthOf, wrapText } from '../display/text-width.ts'

export async function listTools(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  await using bridge = await openSelected(invocation)
  const [all, states] = [[...bridge.tools], bridge.status()]
  const denied = await deniedTools(bridge)
  await beginClosing(bridge)
  const tools = all.filter(matches(options))
  printResult(invocation, { tools: tools.map((tool) => summary(tool, denied)) }, () => {
    if (tools.length > 0) print(terminal, grouped(tools, layoutFor(invocation, denied)).join('\n'))
    else if (all.length > 0) printError(terminal, `toolbridge: none of ${all.length} tools matches --filter`)
    else if (states.some(({ state }) => state === 'ready'))
      printError(terminal, 'toolbridge: there are no tools')
  })
  return reportFailures(states, terminal)
}

/** Whether names, title or description of a tool contain every text of `--filter`. */
function matches(options: Options): (tool: BridgeTool) => boolean {
  const wanted = textOptions(options, 'filter').map((text) => text.toLowerCase())
  return ({ name, server, rawName, definition: { title = '', description = '' } }) => {
    const text = [name, server, rawName, title, description].join('\n').toLowerCase()
    return wanted.every((each) => text.includes(each))
  }
}

function summary(
  { name, server, rawName, uri, definition }: BridgeTool,
  denied: ReadonlyMap<string, string>,
): object {
  const { title, description, inputSchema, outputSchema, annotations } = definition
  return {
    name,
    server,
    rawName,
    uri,
    title,
    description,
    parameters: parametersOf(inputSchema),
    inputSchema,
    outputSchema,
    annotations,
    ...(denied.has(name) ? { denied: denied.get(name) } : {}),
  }
}

interface Layout {
  readonly colors: Colors
  readonly width: number
  readonly hasDetails: boolean
  /** Why tools may not be called, by name. */
  readonly denied: ReadonlyMap<string, string>
}

function layoutFor({ options, terminal }: Invocation, denied: Layout['denied']): Layout {
  return {
    colors: colorsFor(terminal, terminal.stdout),
    width: widthOf(terminal.stdout),
    hasDetails: options['details'] === true,
    denied,
  }
}

function grouped(tools: readonly BridgeTool[], layout: Layout): readonly string[] {
  const servers = [...new Set(tools.map(({ server }) => server))].toSorted()
  return servers.flatMap((server, index) => [
    ...(index === 0 ? [] : ['']),
    layout.colors.cyan(printable(server)),
    ...tools.filter((tool) => tool.server === server).flatMap((tool) => described(tool, layout)),
  ])
}

/** The signature of a tool, and the beginning of its description or all of its details. */
function described(tool: BridgeTool, layout: Layout): readonly string[] {
  const { definition } = tool
  const { colors, width, hasDetails } = layout
  const parameters = parametersOf(definition.inputSchema)
  const shown = shownName(tool)
  const [first = '', ...rest] = wrapText(oneLine(signatureOf(shown, parameters)), 2, width)
  const text = oneLine(definition.description ?? definition.title ?? '')
  const description = hasDetails ? text : firstSentence(text)
  return [
    first.replace(shown, () => colors.bold(shown)),
    ...rest,
    ...deniedLines(tool, layout),
    ...(description === '' ? [] : wrapText(description, 6, width).map((line) => colors.dim(line))),
    ...(hasDetails ? parameters.flatMap((each) => parameterLines(each, width)) : []),
  ]
}

function deniedLines({ name }: BridgeTool, { colors, width, denied }: Layout): readonly string[] {
  const reason = denied.get(name)
  if (reason === undefined) return []
  return wrapText(oneLine(`denied: ${reason}`), 6, width).map((line) => colors.red(line))
}

/** The name, or the address if the name has characters that a terminal does not show. `toolbridge call` takes both. */
function shownName({ name, uri }: BridgeTool): string {
  return printable(name).trim() === name && !name.includes('\n') ? name : uri
}

function parameterLines(parameter: Parameter, width: number): readonly string[] {
  const { description = '' } = parameter
  return wrapText(oneLine(`- ${parameterText(parameter)}  ${description}`).trimEnd(), 6, width)
}

function oneLine(text: string): string {
  return printable(text)
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
}

const maxSentence = 200

/** A description often goes on with instructions for models. */
function firstSentence(text: string): string {
  const [sentence = ''] = /^.*?[.!?](?=\s+\p{Lu}|$)/u.exec(text) ?? [text]
  return sentence.length <= maxSentence ? sentence : `${sentence.slice(0, maxSentence - 1).trimEnd()}…`
}
