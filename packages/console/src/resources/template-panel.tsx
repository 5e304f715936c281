import type { ResourceTemplateSummary } from '@toolbridge/api'
import { type FormEvent, useMemo } from 'react'
import { useLocation } from 'wouter'
import { CompletedField } from '../forms/completed-field.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { useTypedState } from '../state/kept-state.ts'
import { Markdown } from '../ui/markdown.tsx'
import { expand, variablesOf } from './uri-template.ts'
import { resourcePath } from '../state/page-paths.ts'

/** A template: fields for its variables, with suggestions of the server, and the URI that they give. */
export function TemplatePanel({ template }: { readonly template: ResourceTemplateSummary }) {
  const { server, uriTemplate, title, name, description } = template
  const [, navigate] = useLocation()
  const variables = useMemo(() => variablesOf(uriTemplate), [uriTemplate])
  const [values, setValues] = useTypedState<Readonly<Record<string, string>>>(
    `template ${server} ${uriTemplate}`,
    () => ({}),
  )
  const uri = expand(uriTemplate, values)
  const open = (event: FormEvent): void => {
    event.preventDefault()
    navigate(resourcePath(server, uri))
  }
  return (
    <article aria-label={uriTemplate}>
      <h2 className="text-lg font-semibold tracking-tight wrap-anywhere">{title ?? name}</h2>
      <p className="mt-0.5 mb-4 font-mono text-xs wrap-anywhere text-ink-faint">
        {server} {uriTemplate}
      </p>
      {description !== undefined && (
        <div className="mb-4 max-w-prose text-[0.9375rem] text-ink-soft">
          <Markdown text={description} />
        </div>
      )}
      <Card className="p-5">
        <form aria-label={`Variables of ${name}`} onSubmit={open} className="space-y-4">
          {variables.map((variable) => (
            <CompletedField
              key={variable}
              label={variable}
              isRequired={false}
              value={Object.hasOwn(values, variable) ? (values[variable] ?? '') : ''}
              onChange={(value) => setValues({ ...values, [variable]: value })}
              completes={{
                server,
                ref: { type: 'ref/resource', uri: uriTemplate },
                name: variable,
                context: { arguments: values },
              }}
            />
          ))}
          <p className="text-sm text-ink-soft">
            Address: <span className="font-mono text-xs wrap-anywhere">{uri}</span>
          </p>
          <Button type="submit" tone="primary">
            Open
          </Button>
        </form>
      </Card>
    </article>
  )
}
