import type { ToolHints } from '@toolbridge/api'
import { Badge, type Tone } from '../ui/badge.tsx'

/** What the server claims about the effects of a tool. */
export function ToolClaims({ hints }: { readonly hints: ToolHints }) {
  const claims = claimsOf(hints)
  if (claims.length === 0) return null
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
      {claims.map(({ tone, text }) => (
        <Badge key={text} tone={tone}>
          {text}
        </Badge>
      ))}
      <span className="text-xs text-ink-faint">as the server says; not checked</span>
    </p>
  )
}

/** Whether the server says that the tool may delete or overwrite. That is MCP's default for a tool that changes something. */
export function isDestructive({ readOnly, destructive }: ToolHints = {}): boolean {
  return destructive ?? readOnly === false
}

interface Claim {
  readonly tone: Tone
  readonly text: string
}

function claimsOf(hints: ToolHints): readonly Claim[] {
  const effect: readonly Claim[] = hints.readOnly
    ? [{ tone: 'ready', text: 'Changes nothing' }]
    : isDestructive(hints)
      ? [{ tone: 'fail', text: 'May delete or overwrite' }]
      : []
  const repeat: readonly Claim[] = hints.idempotent ? [{ tone: 'off', text: 'Can be repeated' }] : []
  const reach: readonly Claim[] = hints.openWorld ? [{ tone: 'off', text: 'Reaches other systems' }] : []
  return [...effect, ...(hints.readOnly ? [] : repeat), ...reach]
}
