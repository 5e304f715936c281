import { comment, keyText, printInline, TypeNames } from '@toolbridge/client/internal'
import { estimateTokens } from '../catalog/estimate-tokens.ts'
import type { ModelTool } from '../catalog/tool-compiler.ts'

/** Names of a program in which the tools are declared. */
const taken = ['Promise', 'tools', 'console']

/** The declaration of tools in TypeScript: what a model reads to write code that calls them. */
export function declarationsOf(tools: readonly ModelTool[]): string {
  return joined([...printedMethods(tools)])
}

/** Like `declarationsOf`; undefined if there are more tokens. Then most of them, which may be thousands, are not printed. */
export function declarationsWithin(tools: readonly ModelTool[], maxTokens: number): string | undefined {
  const printed: PrintedMethod[] = []
  let tokens = 0
  for (const each of printedMethods(tools)) {
    tokens += estimateTokens(each.types.join('') + each.method)
    if (tokens > maxTokens) return undefined
    printed.push(each)
  }
  return joined(printed)
}

interface PrintedMethod {
  readonly method: string
  /** Declarations of types that the method uses. */
  readonly types: readonly string[]
}

function joined(printed: readonly PrintedMethod[]): string {
  const types = printed.flatMap((each) => each.types)
  return `${types.join('')}declare const tools: {\n${printed.map(({ method }) => method).join('')}}`
}

function* printedMethods(tools: readonly ModelTool[]): Generator<PrintedMethod> {
  const names = new TypeNames(taken)
  for (const tool of tools) yield printMethod(tool, names)
}

function printMethod({ name, description, parameters, tool }: ModelTool, names: TypeNames): PrintedMethod {
  const args = printInline(parameters, names.next(name, 'arguments'), names)
  const { outputSchema } = tool.definition
  const output = outputSchema && printInline(outputSchema, names.next(name, 'result'), names)
  const result = output?.type ?? 'string'
  return {
    method: `${comment(description, '  ')}  ${keyText(name)}(args: ${indented(args.type)}): Promise<${indented(result)}>\n`,
    types: [...args.declarations, ...(output?.declarations ?? [])],
  }
}

function indented(type: string): string {
  return type.replaceAll('\n', '\n  ')
}
