import type { PinSummary } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CardList } from '../ui/card.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice, sentence } from '../ui/notice.tsx'
import { Section } from '../ui/page.tsx'
import { useToast } from '../ui/toast.tsx'
import { useAction } from '../state/use-action.ts'
import { useFollowedLoad } from '../state/use-load.ts'
import { PinDiff } from './pin-diff.tsx'
import { patternOf } from './rules-text.ts'

/** A rule that was saved because a changed tool was rejected. */
export interface Rejection {
  readonly pattern: string
  /** Version of the rules before. */
  readonly base: number
  /** Version of the rules with it. */
  readonly version: number
}

/** Properties of `Pins`. */
export interface PinsProps {
  readonly onRejected: (rejection: Rejection) => void
}

/** Tools as they were approved, and what changed in them since. */
export function Pins({ onRejected }: PinsProps) {
  const gateway = useGateway()
  const { data, error, reload } = useFollowedLoad(
    (signal) => gateway.pins({ signal }),
    ({ type }) => type === 'inbox' || type === 'tools',
  )
  const pins = data?.pins
  const changed = pins?.filter(({ state }) => state !== 'unchanged') ?? []
  const same = pins?.filter(({ state }) => state === 'unchanged') ?? []
  return (
    <Section
      title="Changed tools"
      note="A tool that is not as you approved it is asked about before its next call. Text of a server: read it with care."
    >
      {error !== null && (
        <ErrorNotice title="The tools could not be compared" error={error} onRetry={reload} />
      )}
      {pins === undefined && error === null && <LoadingRows label="Comparing tools" rows={1} />}
      {pins !== undefined && changed.length === 0 && (
        <p className="text-sm text-ink-soft">
          {pins.length === 0
            ? 'No tool was approved yet. What you approve is remembered, and a later change is shown here.'
            : 'All approved tools are as you approved them.'}
        </p>
      )}
      {changed.length > 0 && (
        <CardList aria-label="Changed tools">
          {changed.map((pin) => (
            <PinRow key={pin.tool} pin={pin} onChange={reload} onRejected={onRejected} />
          ))}
        </CardList>
      )}
      {same.length > 0 && <Unchanged pins={same} onChange={reload} />}
    </Section>
  )
}

interface PinRowProps extends PinsProps {
  readonly pin: PinSummary
  readonly onChange: () => void
}

function PinRow({ pin, onChange, onRejected }: PinRowProps) {
  const gateway = useGateway()
  const toast = useToast()
  const { tool, server, rawName, state, change } = pin
  const accept = useAction(() => gateway.acceptPin(tool).finally(onChange))
  const reject = useAction(() => denyTool(gateway, patternOf(server, rawName)))
  const fail = (error: Error): void =>
    toast({ tone: 'fail', title: 'Nothing was changed', detail: sentence(error.message) })
  return (
    <li aria-label={tool} className="px-4 py-3.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-40">
          <p className="font-mono text-[0.8125rem] font-medium wrap-anywhere">{tool}</p>
          <Badge tone="warn">
            {state === 'changed' ? 'Changed since you approved it' : 'The approval cannot be read'}
          </Badge>
        </div>
        <div className="flex gap-2">
          <Button
            aria-label={`Reject ${tool}`}
            title="Denies the tool with a rule, which you can remove"
            disabled={reject.isRunning || accept.isRunning}
            onClick={() =>
              reject.run(undefined, {
                onSuccess: (rejection) => {
                  toast({ tone: 'ready', title: 'Tool denied by a new rule', detail: rejection.pattern })
                  onRejected(rejection)
                },
                onError: fail,
              })
            }
          >
            Reject
          </Button>
          <Button
            aria-label={`Accept ${tool}`}
            disabled={reject.isRunning || accept.isRunning}
            onClick={() =>
              accept.run(undefined, {
                onSuccess: () => toast({ tone: 'ready', title: 'Tool approved as it is now', detail: tool }),
                onError: fail,
              })
            }
          >
            Accept
          </Button>
        </div>
      </div>
      {change !== undefined && <PinDiff tool={tool} change={change} />}
    </li>
  )
}

/** Adds a rule to the saved ones. */
async function denyTool(gateway: ReturnType<typeof useGateway>, pattern: string): Promise<Rejection> {
  const { rules, version: base = 0 } = await gateway.permissions()
  const deny = [...(rules.deny ?? []).filter((rule) => rule !== pattern), pattern]
  const { version } = await gateway.savePermissions({ rules: { ...rules, deny }, version: base })
  return { pattern, base, version }
}

interface UnchangedProps {
  readonly pins: readonly PinSummary[]
  readonly onChange: () => void
}

function Unchanged({ pins, onChange }: UnchangedProps) {
  return (
    <details className="mt-3 text-sm">
      <summary className="text-ink-soft">
        {pins.length === 1
          ? 'One tool is as you approved it'
          : `${pins.length} tools are as you approved them`}
      </summary>
      <CardList aria-label="Unchanged tools" className="mt-2">
        {pins.map(({ tool }) => (
          <UnchangedRow key={tool} tool={tool} onChange={onChange} />
        ))}
      </CardList>
    </details>
  )
}

function UnchangedRow({ tool, onChange }: { readonly tool: string; readonly onChange: () => void }) {
  const gateway = useGateway()
  const forget = useAction(() => gateway.removePin(tool).finally(onChange))
  return (
    <li className="flex items-center justify-between gap-3 px-4 py-2">
      <span className="min-w-0 font-mono text-[0.8125rem] wrap-anywhere">{tool}</span>
      <Button
        tone="quiet"
        aria-label={`Forget ${tool}`}
        disabled={forget.isRunning}
        onClick={() => forget.run(undefined)}
      >
        Forget
      </Button>
    </li>
  )
}
