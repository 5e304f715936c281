import { isJsonObject, isTooDeep } from '@toolbridge/client/internal'
import { GatewayError } from '../errors/gateway-error.ts'
import { pointerTo } from '../errors/issues.ts'
import { refuseTooMany } from './saved-servers.ts'

/** What the servers of a person can have at most. Reading more would make other people wait. */
const limits = { name: 200, values: 5_000 } as const

/**
 * Throws if the servers in a text are too many or too large to be read, which costs far more than to count them. What is wrong in
 * other ways is left to the reader.
 */
export function refuseUnreadable(text: string): void {
  const servers = serversIn(text)
  refuseTooMany(servers)
  if (Object.keys(servers).some((name) => name.length > limits.name))
    throw refused(`the name of a server is longer than ${limits.name} characters: choose a shorter one`)
  if (countValues(servers, limits.values) > limits.values)
    throw refused(`the servers have more than ${limits.values} values: remove some`)
}

function refused(message: string): GatewayError {
  return new GatewayError('invalid_request', 'nothing was saved', [
    { path: pointerTo(['mcpServers']), message },
  ])
}

function serversIn(text: string): Readonly<Record<string, unknown>> {
  const document = parsed(text)
  const servers = isJsonObject(document) && !isTooDeep(document) ? document['mcpServers'] : undefined
  return isJsonObject(servers) ? servers : {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The number of values and fields in a value, or a larger one than `most`. */
function countValues(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const each of Object.values(value)) {
    count += countValues(each, most - count)
    if (count > most) break
  }
  return count
}
