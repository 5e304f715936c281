import type { ActivityEntry, ActivityTraceResponse, ShownJson, ToolSummary } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { useState } from 'react'
import { outcomeTexts } from '../activity/outcomes.ts'
import { objectIn } from '../forms/json-arguments.tsx'
import { fieldsOf } from '../forms/schema.ts'
import { withoutSecrets } from '../forms/without-secrets.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CardList } from '../ui/card.tsx'
import { Code, JsonCode } from '../ui/code.tsx'
import type { JsonObject } from '../ui/json.ts'
import { LoadingRows } from '../ui/loading.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Ago, durationText } from '../ui/time.tsx'
import { useLoad } from '../state/use-load.ts'

/** Properties of `RunHistory`. */
export interface RunHistoryProps extends RunsProps {
  /** Changes when there is a new run. */
  readonly version: string
}

interface RunsProps {
  readonly tool: ToolSummary
  readonly onUse: (values: JsonObject) => void
}

const maxRuns = 20

/** Earlier calls of a tool from the console. What the activity keeps of their arguments can be used again. */
export function RunHistory({ version, ...props }: RunHistoryProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="mt-8" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded text-sm text-ink-soft hover:text-ink">Earlier runs</summary>
      {isOpen && <Runs key={version} {...props} />}
    </details>
  )
}

function Runs({ tool, onUse }: RunsProps) {
  const gateway = useGateway()
  const { data, error, reload } = useLoad((signal) =>
    gateway.activity({ tool: tool.name, limit: maxRuns, signal }),
  )
  if (error !== null)
    return <ErrorNotice title="The runs could not be loaded" error={error} onRetry={reload} />
  if (data === undefined) return <LoadingRows label="Loading runs" />
  const runs = data.entries.filter(({ conversation }) => conversation === 'console')
  if (runs.length === 0)
    return <p className="mt-2 text-sm text-ink-soft">You have not run this tool here yet.</p>
  return (
    <CardList className="mt-2">
      {runs.map((entry) => (
        <Run key={entry.id} entry={entry} tool={tool} onUse={onUse} />
      ))}
    </CardList>
  )
}

function Run({ entry, ...rest }: RunsProps & { readonly entry: ActivityEntry }) {
  const [isOpen, setOpen] = useState(false)
  const { tone, text } = outcomeTexts[entry.outcome]
  return (
    <li className="px-4 py-2.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Badge tone={tone}>{text}</Badge>
        <span className="text-ink-soft">
          <Ago at={entry.at} />, {durationText(entry.latencyMs)}
        </span>
        <Button tone="quiet" aria-expanded={isOpen} className="ml-auto" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      </div>
      {isOpen && <Trace id={entry.id} {...rest} />}
    </li>
  )
}

function Trace({ id, tool, onUse }: RunsProps & { readonly id: string }) {
  const gateway = useGateway()
  const { data, error, reload } = useLoad((signal) => gateway.trace(id, { signal }))
  if (error !== null)
    return <ErrorNotice title="The run could not be loaded" error={error} onRetry={reload} />
  if (data === undefined) return <LoadingRows label="Loading the run" />
  const values = argumentsOf(data, tool)
  return (
    <div className="mt-2 space-y-3">
      {values === undefined ? (
        <p className="text-ink-soft">The arguments are too long to be kept.</p>
      ) : (
        <>
          <JsonCode label="Arguments of the run" value={values} />
          <Button onClick={() => onUse(values)}>Use these arguments</Button>
        </>
      )}
      {data.entry.error !== undefined && (
        <Code label="Error of the run" text={data.entry.error} tone="fail" />
      )}
      {data.result !== undefined && <Shown json={data.result} />}
    </div>
  )
}

function Shown({ json: { text, omitted } }: { readonly json: ShownJson }) {
  return (
    <>
      <Code label="Result of the run" text={text} />
      {omitted > 0 && (
        <p className="text-ink-soft">{`${omitted.toLocaleString('en')} more characters are not kept.`}</p>
      )}
    </>
  )
}

/** Undefined if they were shortened. */
function argumentsOf({ arguments: kept }: ActivityTraceResponse, tool: ToolSummary): JsonObject | undefined {
  if (kept === undefined || kept.omitted > 0) return undefined
  const reading = objectIn(kept.text)
  return reading.kind === 'error' ? undefined : withoutSecrets(fieldsOf(tool.inputSchema), reading.values)
}
