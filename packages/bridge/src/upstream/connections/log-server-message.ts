import { type LogLevel, McpError, McpErrorCode } from '@toolbridge/client'
import type { Emit } from '../../journal/events/emit.ts'
import type { Redact } from '../../journal/redaction/redactor.ts'
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

/** Writes a log notification of a server to the journal. Ignores malformed ones. */
export function logServerMessage(server: string, params: unknown, redact: Redact, emit: Emit): void {
  const { level, logger, data } = isJsonObject(params) ? params : {}
  if (!isLevel(level)) return
  const message = clean(typeof data === 'string' ? data : (JSON.stringify(data) ?? ''), redact)
  const named = typeof logger === 'string' ? { logger: clean(logger, redact) } : {}
  emit({ type: 'server.log', server, level, message, ...named })
}

/** The redactor takes errors only. */
function clean(text: string, redact: Redact): string {
  const carrier = new McpError(text, { kind: 'peer', code: McpErrorCode.InternalError })
  const redacted = redact(carrier)
  return printable(redacted instanceof Error ? redacted.message : '', { maxLength })
}

function isLevel(value: unknown): value is LogLevel {
  return levels.has(value)
}
