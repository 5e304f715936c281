import type { DoctorFinding } from '@toolbridge/api'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Code } from '../ui/code.tsx'
import { ErrorNotice, sentence } from '../ui/notice.tsx'
import { visibleText } from '../ui/visible-text.ts'
import type { DiagnosisState } from './use-diagnosis.ts'

interface Lamp {
  readonly tone: Tone
  readonly text: string
}

const titles: Readonly<Record<string, string>> = {
  file: 'Settings',
  permissions: 'Permission rules',
  dialect: 'Format',
  variables: 'Variables',
  trust: 'Trust',
  binary: 'Program',
  spawn: 'Connection',
  'first-byte': 'First answer',
  era: 'Protocol',
  authorization: 'Authorization',
  capabilities: 'Capabilities',
  list: 'Tools',
  schema: 'Schemas',
  names: 'Names',
  tokens: 'Tokens',
  latency: 'Latency',
  exit: 'Shutdown',
}

const outcomes: Readonly<Record<DoctorFinding['outcome'], Lamp>> = {
  ok: { tone: 'ready', text: 'Passed' },
  warning: { tone: 'warn', text: 'Warning' },
  error: { tone: 'fail', text: 'Failed' },
  skipped: { tone: 'off', text: 'Skipped' },
}

/** The stages of a diagnosis as they happen: what each found, and what to do. Nothing before it starts. */
export function DoctorStages({ diagnosis }: { readonly diagnosis: DiagnosisState }) {
  const { kind, findings, error } = diagnosis
  if (kind === 'none') return null
  const reached = findings.filter(({ outcome }) => outcome !== 'skipped')
  const { tone, text } = summaryOf(diagnosis)
  return (
    <div className="space-y-3">
      <p role="status">
        <Badge tone={tone}>{text}</Badge>
      </p>
      {reached.length > 0 && (
        <ol aria-label="Stages" className="divide-y divide-line rounded-lg border border-line bg-surface">
          {reached.map((finding, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: findings are only added at the end
            <Finding key={position} finding={finding} />
          ))}
        </ol>
      )}
      <NotReached findings={findings} />
      {error !== null && <ErrorNotice title="The check could not be completed" error={error} />}
    </div>
  )
}

function Finding({
  finding: { stage, outcome, seen, fix, stderr = [] },
}: {
  readonly finding: DoctorFinding
}) {
  const { tone, text } = outcomes[outcome]
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-1 px-4 py-2 text-sm sm:grid-cols-[8rem_minmax(0,1fr)_auto]">
      <span className="font-medium wrap-anywhere">{titles[stage] ?? stage}</span>
      <span className="sm:order-last">
        <Badge tone={tone}>{text}</Badge>
      </span>
      <div className="min-w-0 wrap-anywhere max-sm:col-span-2">
        <p className={outcome === 'error' ? 'text-fail' : 'text-ink-soft'}>{sentence(seen)}</p>
        {fix !== undefined && <p className="mt-1">{sentence(fix)}</p>}
        {stderr.length > 0 && (
          <div className="mt-2">
            <Code text={visibleText(stderr.join('\n'))} label={`Output at ${titles[stage] ?? stage}`} />
          </div>
        )}
      </div>
    </li>
  )
}

function NotReached({ findings }: { readonly findings: readonly DoctorFinding[] }) {
  const missed = findings.filter(({ code }) => code === 'not_reached')
  if (missed.length === 0) return null
  const names = [...new Set(missed.map(({ stage }) => titles[stage] ?? stage))]
  return <p className="text-sm text-ink-faint">Not reached: {names.join(', ')}.</p>
}

function summaryOf({ kind, findings }: DiagnosisState): Lamp {
  const last = findings.at(-1)
  if (kind === 'running')
    return {
      tone: 'busy',
      text: last === undefined ? 'Checking' : `Checking: ${titles[last.stage] ?? last.stage} done`,
    }
  if (kind === 'stopped') return { tone: 'off', text: 'Not completed' }
  if (findings.some(({ outcome }) => outcome === 'error')) return { tone: 'fail', text: 'A stage failed' }
  if (findings.some(({ outcome }) => outcome === 'warning'))
    return { tone: 'warn', text: 'It works, with warnings' }
  return { tone: 'ready', text: 'Everything works' }
}
