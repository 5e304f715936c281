import type { BridgeTool } from '@toolbridge/bridge'
import { oneLine, printable } from '@toolbridge/client/internal'
import { type Parameter, parametersOf, parameterText, signatureOf } from '../arguments/parameters.ts'
import { type Colors, colorsFor } from '../colors.ts'
import { widthOf, wrapText } from '../display/text-width.ts'
import type { Terminal } from '../terminal.ts'

/** Whether names, title or description of a tool contain every one of these texts. */
export function toolFilter(texts: readonly string[]): (tool: BridgeTool) => boolean {
  const wanted = texts.map((text) => text.toLowerCase())
  return ({ name, server, rawName, definition: { title = '', description = '' } }) => {
    const text = [name, server, rawName, title, description].join('\n').toLowerCase()
    return wanted.every((each) => text.includes(each))
  }
}

/** What is shown of tools. */
interface ToolListOptions {
  /** Why tools may not be called, by name. */
  readonly denied: ReadonlyMap<string, string>
  /** Whether whole descriptions and all parameters are shown. Default: false. */
  readonly hasDetails?: boolean
}

interface Layout extends Required<ToolListOptions> {
  readonly colors: Colors
  readonly width: number
}

/** Signatures and descriptions of tools below the names of their servers, as lines for stdout. */
export function describeTools(
  tools: readonly BridgeTool[],
  terminal: Terminal,
  { denied, hasDetails = false }: ToolListOptions,
): readonly string[] {
  const { stdout } = terminal
  return grouped(tools, { colors: colorsFor(terminal, stdout), width: widthOf(stdout), hasDetails, denied })
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
  const [first = '', ...rest] = wrapText(flowing(signatureOf(shown, parameters)), 2, width)
  const text = flowing(definition.description ?? definition.title ?? '')
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
  return wrapText(flowing(`denied: ${reason}`), 6, width).map((line) => colors.red(line))
}

/** The name, or the address if the name has characters that a terminal does not show. `toolbridge call` takes both. */
function shownName({ name, uri }: BridgeTool): string {
  return printable(name).trim() === name ? name : uri
}

/** A text whose line breaks are no longer needed. */
function flowing(text: string): string {
  return oneLine(printable(text, { keepLines: true })).trim()
}

function parameterLines(parameter: Parameter, width: number): readonly string[] {
  const { description = '' } = parameter
  return wrapText(
    oneLine(printable(`- ${parameterText(parameter)}  ${description}`, { keepLines: true })),
    6,
    width,
  )
}

const maxSentence = 200

/** A description often goes on with instructions for models. */
function firstSentence(text: string): string {
  const [sentence = ''] = /^.*?[.!?](?=\s+\p{Lu}|$)/u.exec(text) ?? [text]
  return sentence.length <= maxSentence ? sentence : `${sentence.slice(0, maxSentence - 1).trimEnd()}…`
}
