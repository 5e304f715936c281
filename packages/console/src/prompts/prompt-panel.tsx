import type { GetPromptResponse, PromptSummary } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { type FormEvent, useRef, useState } from 'react'
import { ContentBlock } from '../content/content-block.tsx'
import { CompletedField } from '../forms/completed-field.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { useTypedState } from '../state/kept-state.ts'
import { Markdown } from '../ui/markdown.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { useAction } from '../state/use-action.ts'

type Values = Readonly<Record<string, string>>

/** One prompt: fields for its arguments, with suggestions of the server, and a preview of its messages. */
export function PromptPanel({ prompt }: { readonly prompt: PromptSummary }) {
  const { server, name, title, description } = prompt
  const gateway = useGateway()
  const getting = useAction((values: Values) => gateway.getPrompt({ server, name, arguments: values }))
  return (
    <article aria-label={name}>
      <h2 className="text-lg font-semibold tracking-tight wrap-anywhere">{title ?? name}</h2>
      <p className="mt-0.5 mb-4 font-mono text-xs wrap-anywhere text-ink-faint">
        {server} {name}
      </p>
      {description !== undefined && (
        <div className="mb-4 max-w-prose text-[0.9375rem] text-ink-soft">
          <Markdown text={description} />
        </div>
      )}
      <Arguments prompt={prompt} isRunning={getting.isRunning} onSubmit={(values) => getting.run(values)} />
      {getting.error !== null && (
        <div className="mt-6">
          <ErrorNotice title="The server did not return the prompt" error={getting.error} />
        </div>
      )}
      {getting.data !== undefined && getting.error === null && (
        <Messages server={server} messages={getting.data.messages} />
      )}
    </article>
  )
}

interface ArgumentsProps {
  readonly prompt: PromptSummary
  readonly isRunning: boolean
  readonly onSubmit: (values: Values) => void
}

function Arguments({ prompt, isRunning, onSubmit }: ArgumentsProps) {
  const { server, name, arguments: fields = [] } = prompt
  const [values, setValues] = useTypedState<Values>(`prompt ${server} ${name}`, () => ({}))
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set())
  const form = useRef<HTMLFormElement>(null)
  const valueOf = (field: string): string => (Object.hasOwn(values, field) ? (values[field] ?? '') : '')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const empty = fields.filter((field) => field.required === true && valueOf(field.name) === '')
    setMissing(new Set(empty.map((field) => field.name)))
    const [first] = empty
    if (first === undefined) return onSubmit(withoutEmpty(values))
    const control = form.current?.elements.namedItem(first.name)
    if (control instanceof HTMLElement) control.focus()
  }
  return (
    <Card className="p-5">
      <form ref={form} noValidate aria-label={`Arguments of ${name}`} onSubmit={submit} className="space-y-4">
        {fields.length === 0 && <p className="text-sm text-ink-soft">No input is needed.</p>}
        {fields.map((field) => (
          <CompletedField
            key={field.name}
            label={field.title ?? field.name}
            hint={field.description && <Markdown text={field.description} />}
            error={missing.has(field.name) && valueOf(field.name) === '' ? 'This is required.' : undefined}
            isRequired={field.required === true}
            value={valueOf(field.name)}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
            completes={{
              server,
              ref: { type: 'ref/prompt', name },
              name: field.name,
              context: { arguments: withoutEmpty(values) },
            }}
          />
        ))}
        <Button type="submit" tone="primary" disabled={isRunning}>
          Preview
        </Button>
      </form>
    </Card>
  )
}

function withoutEmpty(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}

interface MessagesProps extends Pick<GetPromptResponse, 'messages'> {
  readonly server: string
}

function Messages({ server, messages }: MessagesProps) {
  return (
    <section aria-label="Messages" aria-live="polite" className="appear mt-6 space-y-4">
      {messages.length === 0 && <p className="text-sm text-ink-soft">The prompt has no messages.</p>}
      {messages.map(({ role, content }, index) => (
        // Messages have no id, and those of a preview never change.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index}>
          <h3 className="eyebrow mb-1.5">{role === 'user' ? 'User' : 'Assistant'}</h3>
          <ContentBlock block={content} server={server} />
        </div>
      ))}
    </section>
  )
}
