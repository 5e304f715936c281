import { Badge, type Tone } from '../ui/badge.tsx'

/** What rules say about a call. */
export type Verdict = 'allow' | 'ask' | 'deny' | 'depends'

const verdicts: Readonly<Record<Verdict, { readonly tone: Tone; readonly text: string }>> = {
  allow: { tone: 'ready', text: 'Allowed' },
  ask: { tone: 'warn', text: 'Asks' },
  deny: { tone: 'fail', text: 'Denied' },
  depends: { tone: 'off', text: 'Depends on arguments' },
}

/** A verdict as a colored word. */
export function VerdictBadge({ verdict }: { readonly verdict: Verdict }) {
  const { tone, text } = verdicts[verdict]
  return <Badge tone={tone}>{text}</Badge>
}
