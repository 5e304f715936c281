import type { Bridge } from '@toolbridge/bridge'
import type { CompletionReference } from '@toolbridge/client'
import { printable } from '@toolbridge/client/internal'
import type { Invocation } from '../command.ts'
import { didYouMean } from '../did-you-mean.ts'
import { printResult } from '../display/print-result.ts'
import type { ExitCode } from '../exit-code.ts'
import { givenArguments } from '../arguments/given-arguments.ts'
import { withServers } from '../servers/selected-servers.ts'
import { findItem, findPrompt } from '../servers/server-items.ts'
import { print } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function completeArgument(invocation: Invocation): Promise<ExitCode> {
  const { terminal, positionals } = invocation
  const [wanted, ...words] = positionals
  if (wanted === undefined)
    throw new UsageError('missing prompt or URI template. See: toolbridge complete --help')
  const { pairs } = await givenArguments(words, undefined, terminal)
  const [argument, ...others] = pairs
  if (argument === undefined)
    throw new UsageError('missing argument: expected <name>=<beginning>. See: toolbridge complete --help')
  const known = Object.fromEntries(others.map(({ name, text }) => [name, text]))
  return withServers(invocation, async (bridge) => {
    const { server, ref, names } = await referenceTo(bridge, wanted, invocation)
    requireName(argument.name, names, wanted)
    const completion = await bridge.prompts.complete(
      server,
      {
        ref,
        argument: { name: argument.name, value: argument.text },
        ...(others.length === 0 ? {} : { context: { arguments: known } }),
      },
      { signal: terminal.signal },
    )
    printResult(invocation, completion, () => {
      for (const value of completion.values) print(terminal, printable(value))
    })
  })
}

interface Referred {
  readonly server: string
  readonly ref: CompletionReference
  /** The arguments that it has. */
  readonly names: readonly string[]
}

/** The prompt or template of this name. A name with braces is a template. */
async function referenceTo(bridge: Bridge, wanted: string, { terminal }: Invocation): Promise<Referred> {
  if (wanted.includes('{')) {
    const templates = await bridge.resources.templates(terminal)
    const { server, definition } = findItem(templates, wanted, {
      kind: 'template',
      keyOf: (template) => template.uriTemplate,
    })
    const { uriTemplate: uri } = definition
    return { server, ref: { type: 'ref/resource', uri }, names: variablesIn(uri) }
  }
  const { server, definition } = await findPrompt(bridge, wanted, terminal)
  const names = (definition.arguments ?? []).map(({ name }) => name)
  return { server, ref: { type: 'ref/prompt', name: definition.name }, names }
}

function variablesIn(template: string): readonly string[] {
  return [...template.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(',').map((each) => each.replace(/(?:\*|:\d+)$/, '')),
  )
}

function requireName(name: string, known: readonly string[], wanted: string): void {
  if (known.includes(name)) return
  const hint = didYouMean(name, known)
  throw new UsageError(`"${wanted}" has no argument "${name}".${hint} It has: ${known.join(', ') || 'none'}`)
}
