import { type Audit, formatCheckpoint } from '@toolbridge/lockbox'
import type { Closable } from './resource-stack.ts'

const INTERVAL_MS = 60_000

/**
 * Logs the ends of the audit's chains once a minute and when it is closed, if entries were added: compared with the log, entries
 * that were removed from the database are missed.
 */
export function logCheckpoints(audit: Pick<Audit, 'checkpoints'>, log: (line: string) => void): Closable {
  let logged: ReadonlySet<string> = new Set()
  const logNew = (): void => {
    const texts = new Set(audit.checkpoints().map(formatCheckpoint))
    for (const text of texts) if (!logged.has(text)) log(`audit checkpoint ${text}`)
    logged = texts
  }
  const timer = setInterval(logNew, INTERVAL_MS)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      logNew()
    },
  }
}
