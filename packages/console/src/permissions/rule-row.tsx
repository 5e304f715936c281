import type { OwnRuleDescription } from '@toolbridge/api'
import { useId } from 'react'
import { IconButton } from '../ui/button.tsx'
import { controlClasses, FieldError } from '../ui/field.tsx'
import { type RuleKind, ruleKinds, type RuleRow } from './rules-text.ts'

const kindTexts: Readonly<Record<RuleKind, string>> = { deny: 'Deny', ask: 'Ask', allow: 'Allow' }

/** Properties of `RuleRowEditor`. */
export interface RuleRowEditorProps {
  readonly row: RuleRow
  readonly number: number
  /** Id of a list of suggestions. */
  readonly suggestions: string
  readonly description: OwnRuleDescription | undefined
  readonly issue: string | undefined
  readonly onChange: (row: RuleRow) => void
  readonly onRemove: () => void
}

/** One rule: its list, its pattern, what it says in a sentence, and what it covers now. */
export function RuleRowEditor(props: RuleRowEditorProps) {
  const { row, number, suggestions, description, issue, onChange, onRemove } = props
  const id = useId()
  const label = `rule ${number}`
  return (
    <li aria-label={`Rule ${number}`} className="px-4 py-3.5">
      <div className="flex flex-wrap items-center gap-2">
        <div className="w-28">
          <select
            aria-label={`Verdict of ${label}`}
            value={row.kind}
            onChange={(event) =>
              onChange({ ...row, kind: ruleKinds.find((kind) => kind === event.target.value) ?? row.kind })
            }
            className={controlClasses}
          >
            {ruleKinds.map((kind) => (
              <option key={kind} value={kind}>
                {kindTexts[kind]}
              </option>
            ))}
          </select>
        </div>
        <div className="min-w-0 flex-1 max-sm:order-last max-sm:basis-full">
          <input
            aria-label={`Pattern of ${label}`}
            aria-describedby={`${id}said`}
            aria-invalid={issue !== undefined || undefined}
            list={suggestions}
            autoComplete="off"
            spellCheck={false}
            placeholder="mcp://server/tool"
            value={row.text}
            onChange={(event) => onChange({ ...row, text: event.target.value })}
            className={`${controlClasses} font-mono text-[0.8125rem]`}
          />
        </div>
        <IconButton label={`Remove ${label}`} icon="close" onClick={onRemove} className="max-sm:ml-auto" />
      </div>
      {issue !== undefined && <FieldError id={`${id}said`}>{issue}</FieldError>}
      {issue === undefined && description !== undefined && (
        <div id={`${id}said`} className="mt-1.5 text-sm wrap-anywhere text-ink-soft">
          {description.sentence} <Covered description={description} />
        </div>
      )}
    </li>
  )
}

const shownTools = 5

function Covered({
  description: { tools, toolCount, dependsOnArguments },
}: {
  readonly description: OwnRuleDescription
}) {
  const names = tools.slice(0, shownTools).join(', ')
  const more = toolCount > shownTools ? ` and ${toolCount - shownTools} more` : ''
  if (toolCount === 0) return <span className="text-ink-faint">It covers no tool that is there now.</span>
  return (
    <span className="text-ink-faint">
      {`${dependsOnArguments ? 'It may cover' : 'It covers'} ${toolCount === 1 ? 'one tool' : `${toolCount} tools`} now: `}
      <span className="font-mono text-xs">{names}</span>
      {more}.
    </span>
  )
}
