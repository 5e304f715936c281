import type { OwnRules, PermissionTestStep, TestPermissionResponse } from '@toolbridge/api'
import { useGateway, useTools } from '@toolbridge/react'
import { type FormEvent, useId } from 'react'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { controlClasses, Field } from '../ui/field.tsx'
import { isJsonObject, type JsonObject } from '../ui/json.ts'
import { keptState, useKeptState } from '../state/kept-state.ts'
import { ErrorNotice } from '../ui/notice.tsx'
import { Section } from '../ui/page.tsx'
import { useAction } from '../state/use-action.ts'
import { VerdictBadge } from './verdict.tsx'

const typedCall = keptState({ tool: '', text: '' })

/** Asks what the rules above, saved or not, say about one call. */
export function TestCall({ rules }: { readonly rules: OwnRules }) {
  const gateway = useGateway()
  const { data: tools = [] } = useTools()
  const suggestions = useId()
  const [typed, setTyped] = useKeptState(typedCall)
  const { tool, text } = typed
  const args = readArguments(text)
  const test = useAction((given: JsonObject | undefined) =>
    gateway.testPermission({
      tool: tool.trim(),
      rules,
      ...(given === undefined ? {} : { arguments: given }),
    }),
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!('issue' in args)) test.run(args.arguments)
  }
  return (
    <Section title="Test a call" note="What the rules above say about a call, without making it.">
      <form onSubmit={submit} className="grid gap-3 md:grid-cols-2">
        <Field label="Tool" isRequired>
          {(control) => (
            <input
              {...control}
              list={suggestions}
              autoComplete="off"
              placeholder="server__tool"
              value={tool}
              onChange={(event) => setTyped({ ...typed, tool: event.target.value })}
              className={controlClasses}
            />
          )}
        </Field>
        <datalist id={suggestions}>
          {tools.slice(0, 500).map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Field label="Arguments as JSON" error={'issue' in args ? args.issue : undefined}>
          {(control) => (
            <textarea
              {...control}
              rows={1}
              spellCheck={false}
              placeholder={'{ "path": "/etc/hosts" }'}
              value={text}
              onChange={(event) => setTyped({ ...typed, text: event.target.value })}
              className={`${controlClasses} font-mono text-[0.8125rem]`}
            />
          )}
        </Field>
        <div>
          <Button type="submit" disabled={test.isRunning || tool.trim() === '' || 'issue' in args}>
            {test.isRunning ? 'Testing…' : 'Test'}
          </Button>
        </div>
      </form>
      <div role="status" className="mt-3">
        {test.data !== undefined && <Outcome result={test.data} />}
      </div>
      {test.error !== null && <ErrorNotice title="The call could not be tested" error={test.error} />}
    </Section>
  )
}

/** Empty: unknown arguments. */
function readArguments(
  text: string,
): { readonly arguments: JsonObject | undefined } | { readonly issue: string } {
  if (text.trim() === '') return { arguments: undefined }
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? { arguments: value } : { issue: 'This must be an object: { … }.' }
  } catch {
    return { issue: 'This is not JSON.' }
  }
}

function Outcome({
  result: { tool, verdict, reason, isGranted, controlFile, steps },
}: {
  readonly result: TestPermissionResponse
}) {
  return (
    <Card className="p-4 text-sm">
      <p className="flex flex-wrap items-center gap-3">
        <VerdictBadge verdict={verdict} />
        <span className="font-mono text-[0.8125rem] wrap-anywhere">{tool.name}</span>
      </p>
      <p className="mt-1.5 wrap-anywhere text-ink-soft">Because of: {reason}</p>
      {isGranted && (
        <p className="mt-1 text-ink-soft">You have approved it permanently, so it is not asked about.</p>
      )}
      {controlFile !== undefined && (
        <p className="mt-1 wrap-anywhere text-ink-soft">It names a control file: {controlFile}</p>
      )}
      <h3 className="eyebrow mt-4">What was considered</h3>
      <ol className="mt-1.5 space-y-1.5">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
          <Step key={index} step={step} />
        ))}
      </ol>
    </Card>
  )
}

const sources: Readonly<Record<PermissionTestStep['source'], string>> = {
  own: 'your rule',
  gateway: 'of the gateway',
  definition: 'the server definition',
}
const matches: Readonly<Record<PermissionTestStep['match'], string>> = {
  yes: 'Matches',
  no: 'Does not match',
  depends: 'Depends on the arguments',
}
const mismatches: Readonly<Record<string, string>> = {
  namespace: 'it is not about tools',
  tool: 'it is about another tool',
  'name-style': 'an allow rule needs the name that the tool has here',
  annotations: 'the tool does not say so, or its server is not trusted to',
  arguments: 'the arguments differ',
  mode: 'the mode ignores it',
}

function Step({
  step: { source, kind, text, match, because, decides },
}: {
  readonly step: PermissionTestStep
}) {
  const why = because === undefined ? '' : `: ${mismatches[because] ?? because}`
  return (
    <li className={decides ? 'font-medium' : 'text-ink-soft'}>
      <span className="font-mono text-[0.8125rem] wrap-anywhere">
        {kind === 'definition' || kind === 'mode' ? text : `${kind} ${text}`}
      </span>{' '}
      <span className="text-[0.8125rem]">
        ({sources[source]}) {matches[match]}
        {why}.{decides && ' This decides.'}
      </span>
    </li>
  )
}
