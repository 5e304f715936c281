import type { StubGateway } from '../stub-gateway.ts'
import { fillGateway } from './full-gateway.ts'
import { hostileDescription, hostileMarkup } from './hostile-text.ts'

const mebibyte = 1_048_576

/** Fields that the gateway itself writes, such as numbers and times as texts. */
const ownFields =
  /^(id|kind|state|scope|transport|outcome|type|format|decisions|scopes|action|effect|version|hash|guides|uri|path|[a-z]*At|at|from|to)$/i

/** Names that the scenes open. */
const ownNames = new Set(['github', 'github__create_issue', 'everything', 'everything__get_image'])

/** Fills a gateway whose every name, description, message, question and result is hostile, some of them 1 MiB long. */
export function fillHostileGateway(gateway: StubGateway): void {
  fillGateway(gateway)
  gateway.servers = hostile(gateway.servers)
  gateway.tools = hostile(gateway.tools).map((tool) => ({
    ...tool,
    description: hostileDescription(tool.name.startsWith('everything__') ? 5_000 : mebibyte / 8),
    inputSchema: {
      type: 'object',
      properties: { [hostileMarkup]: { type: 'string', description: hostileMarkup } },
    },
  }))
  gateway.questions = hostile(gateway.questions).map((question) => ({
    ...question,
    message: hostileDescription(mebibyte),
  }))
  gateway.activity = hostile(gateway.activity)
  gateway.apiKeys = hostile(gateway.apiKeys)
  Object.assign(gateway.administration, hostile(gateway.administration))
  gateway.callTool = async () => hostileResult
}

const hostileResult = {
  content: [
    { type: 'text', text: hostileDescription(mebibyte) },
    { type: 'text', text: `# Heading\n\n${hostileMarkup}` },
    {
      type: 'image',
      mimeType: 'image/svg+xml',
      data: btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="parent.__ran=1"/>'),
    },
    { type: 'image', mimeType: 'image/png;text/html,<script>', data: btoa('no picture') },
    { type: 'resource_link', uri: 'javascript:globalThis.__ran=1', name: hostileMarkup },
    {
      type: 'resource',
      resource: { uri: `file:///${hostileMarkup}`, text: hostileMarkup, mimeType: 'text/html' },
    },
    { type: hostileMarkup },
  ],
  structuredContent: { [hostileMarkup]: [{ [hostileMarkup]: hostileMarkup }] },
}

/** Returns the data with every text made hostile, so that a field that is added later is too. */
function hostile<T>(value: T): T {
  return changed(value, '') as T
}

function changed(value: unknown, field: string): unknown {
  if (typeof value === 'string')
    return ownFields.test(field) || ownNames.has(value) ? value : `${value}${hostileMarkup}`
  if (Array.isArray(value)) return value.map((part) => changed(part, field))
  if (typeof value !== 'object' || value === null || field === 'guides') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changed(part, name)]))
}
