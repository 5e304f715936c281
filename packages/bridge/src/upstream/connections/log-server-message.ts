import type { LogLevel } from '@toolbridge/client'
import type { Emit } from '../../journal/events/emit.ts'
import type { RedactText } from '../../journal/redaction/redactor.ts'
import { isJsonObject, printable } from '@toolbridge/client/internal'

const levels: ReadonlySet<unknown> = new Set<LogLevel>([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
])

const maxLength = 2_000

/** Writes a log notification of a server to the journal. Ignores malformed ones. A server may send thousands. */
export function logServerMessage(server: string, params: unknown, redactText: RedactText, emit: Emit): void {
  const { level, logger, data } = isJsonObject(params) ? params : {}
  if (!isLevel(level)) return
  const clean = (text: string): string => printable(redactText(text), { maxLength })
  const message = clean(typeof data === 'string' ? data : (JSON.stringify(data) ?? ''))
  const named = typeof logger === 'string' ? { logger: clean(logger) } : {}
  emit({ type: 'server.log', server, level, message, ...named })
}

function isLevel(value: unknown): value is LogLevel {
  return levels.has(value)
}
