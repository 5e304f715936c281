import type { ReadResourceResult, Resource, ResourceContents, ResourceTemplate } from '@toolbridge/client'
import { printable } from '@toolbridge/client/internal'
import type { Invocation } from '../command.ts'
import { didYouMean } from '../did-you-mean.ts'
import { printResult } from '../display/print-result.ts'
import type { ExitCode } from '../exit-code.ts'
import { blobOf, type OutputTarget, outputTarget, saveAs, saveMedia } from '../display/save-media.ts'
import { listItems } from '../servers/list-items.ts'
import { withServers } from '../servers/selected-servers.ts'
import { serverOfResource } from '../servers/server-of-resource.ts'
import { printError, printText } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function runResources(invocation: Invocation): Promise<ExitCode> {
  const [verb = 'list', uri] = invocation.positionals
  if (verb === 'read') return readResource(invocation, uri)
  if (verb !== 'list' && verb !== 'templates') {
    const hint = didYouMean(verb, ['list', 'templates', 'read'])
    throw new UsageError(`unknown command "resources ${verb}".${hint} See: toolbridge resources --help`)
  }
  if (uri !== undefined)
    throw new UsageError(`unexpected argument "${uri}". See: toolbridge resources --help`)
  return verb === 'list' ? listResources(invocation) : listTemplates(invocation)
}

function listResources(invocation: Invocation): Promise<ExitCode> {
  const { terminal } = invocation
  return listItems(invocation, {
    key: 'resources',
    itemsOf: (bridge) => bridge.resources.list(terminal),
    lineOf: (resource) => lineOf(resource.uri, resource),
  })
}

function listTemplates(invocation: Invocation): Promise<ExitCode> {
  const { terminal } = invocation
  return listItems(invocation, {
    key: 'resourceTemplates',
    itemsOf: (bridge) => bridge.resources.templates(terminal),
    lineOf: (template) => lineOf(template.uriTemplate, template),
  })
}

function lineOf(key: string, { name, title, description, mimeType }: Resource | ResourceTemplate): string {
  return `${key}${mimeType === undefined ? '' : ` (${mimeType})`}  ${description ?? title ?? name}`
}

async function readResource(invocation: Invocation, uri: string | undefined): Promise<ExitCode> {
  const { terminal } = invocation
  if (uri === undefined) throw new UsageError('missing URI. See: toolbridge resources list')
  const target = await outputTarget(invocation)
  return withServers(invocation, async (bridge) => {
    const server = await serverOfResource(bridge, uri, terminal)
    const result = await bridge.resources.read(server, uri, { signal: terminal.signal })
    if (target !== undefined) await save(result, target, invocation)
    printResult(invocation, result, () => {
      if (target === undefined) for (const each of result.contents) printContents(each, invocation)
    })
  })
}

/** Saves bytes as bytes, and text as it was sent. */
async function save(
  { contents }: ReadResourceResult,
  target: OutputTarget,
  { terminal }: Invocation,
): Promise<void> {
  const media = contents.flatMap((each) => (isText(each) ? [encoded(each)] : blobOf(each)))
  const [first, ...others] = contents
  if (target.kind === 'file' && first !== undefined && isText(first) && others.length === 0)
    return void (await saveAs(target.path, first.text))
  await saveMedia(media, target, 'resource', terminal)
}

function isText(contents: ResourceContents): contents is ResourceContents & { readonly text: string } {
  return 'text' in contents && typeof contents.text === 'string'
}

function encoded({ text, mimeType = 'text/plain' }: { readonly text: string; readonly mimeType?: string }): {
  readonly data: string
  readonly mimeType: string
} {
  return { data: Buffer.from(text).toString('base64'), mimeType }
}

/** Bytes are never printed: a terminal could obey them. */
function printContents(contents: ResourceContents, { terminal }: Invocation): void {
  if (isText(contents)) return printText(terminal, contents.text)
  for (const { mimeType, data } of blobOf(contents))
    printError(
      terminal,
      printable(
        `toolbridge: ${contents.uri} is binary (${mimeType}, ${Buffer.byteLength(data, 'base64')} bytes); save it with --output <file>`,
      ),
    )
}
