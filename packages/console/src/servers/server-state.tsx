import type { ServerState } from '@toolbridge/api'
import { Badge, type Tone } from '../ui/badge.tsx'

const states: Readonly<Record<ServerState, { readonly tone: Tone; readonly text: string }>> = {
  ready: { tone: 'ready', text: 'Ready' },
  degraded: { tone: 'warn', text: 'Degraded' },
  starting: { tone: 'busy', text: 'Starting' },
  stopped: { tone: 'off', text: 'Stopped' },
  down: { tone: 'fail', text: 'Down' },
  failed: { tone: 'fail', text: 'Failed' },
  disabled: { tone: 'off', text: 'Off' },
  untrusted: { tone: 'warn', text: 'Not trusted' },
  unauthorized: { tone: 'warn', text: 'Needs sign-in' },
}

/** The state of a server. */
export function StateBadge({ state }: { readonly state: ServerState }) {
  const { tone, text } = states[state]
  return <Badge tone={tone}>{text}</Badge>
}
