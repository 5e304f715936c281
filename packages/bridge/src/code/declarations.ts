import { comment, keyText, printInline, TypeNames } from '@toolbridge/client/internal'
import type { ModelTool } from '../catalog/tool-compiler.ts'

/** Names of a program in which the tools are declared. */
const taken = ['Promise', 'tools', 'console']

/** The declaration of tools in TypeScript: what a model reads to write code that calls them. */
export function declarationsOf(tools: readonly ModelTool[]): string {
  const names = new TypeNames(taken)
  const printed = tools.map((tool) => printMethod(tool, names))
  const types = printed.flatMap(({ declarations }) => declarations)
  return `${types.join('')}declare const tools: {\n${printed.map(({ method }) => method).join('')}}`
}

function printMethod(
  { name, description, parameters, tool }: ModelTool,
  names: TypeNames,
): { readonly method: string; readonly declarations: readonly string[] } {
  const args = printInline(parameters, names.next(name, 'arguments'), names)
  const { outputSchema } = tool.definition
  const output = outputSchema && printInline(outputSchema, names.next(name, 'result'), names)
  const result = output?.type ?? 'string'
  return {
    method: `${comment(description, '  ')}  ${keyText(name)}(args: ${indented(args.type)}): Promise<${indented(result)}>\n`,
    declarations: [...args.declarations, ...(output?.declarations ?? [])],
  }
}

function indented(type: string): string {
  return type.replaceAll('\n', '\n  ')
}
