import { type Audit, formatCheckpoint } from '@toolbridge/lockbox'
import type { Closable } from './resource-stack.ts'

const INTERVAL_MS = 60_000

/**
 * Logs the end of the audit's chain once a minute and when it is closed, if entries were added: compared with the log, entries
 * that were removed from the database are missed.
 */
export function logCheckpoints(audit: Pick<Audit, 'checkpoint'>, log: (line: string) => void): Closable {
  let logged: string | undefined
  const logNew = (): void => {
    const checkpoint = audit.checkpoint()
    const text = checkpoint && formatCheckpoint(checkpoint)
    if (text === undefined || text === logged) return
    log(`audit checkpoint ${text}`)
    logged = text
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
