import type { ActivityEntry } from '@toolbridge/api'
import type { Tone } from '../ui/badge.tsx'

/** How an outcome is shown. */
export const outcomeTexts: Readonly<
  Record<ActivityEntry['outcome'], { readonly tone: Tone; readonly text: string }>
> = {
  ok: { tone: 'ready', text: 'OK' },
  tool_error: { tone: 'warn', text: 'Tool error' },
  failed: { tone: 'fail', text: 'Failed' },
  denied: { tone: 'warn', text: 'Denied' },
  cancelled: { tone: 'off', text: 'Cancelled' },
}
