import type { KeptSecret, ServerEntry } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import type { ReactNode } from 'react'
import { Section } from '../ui/page.tsx'
import { useLoad } from '../state/use-load.ts'

/** How a saved server is started or reached. Everything that may be a secret is hidden. */
export function ServerDefinition({ name }: { readonly name: string }) {
  const gateway = useGateway()
  const { data } = useLoad((signal) => gateway.readServer(name, { signal }))
  if (data === undefined) return null
  return (
    <Section title="Definition" note="Saved secrets are shown as dots and stay as they are.">
      <dl className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
        {rowsOf(data.server).map(([label, value]) => (
          <div key={label} className="grid gap-x-4 px-4 py-2 sm:grid-cols-[9rem_minmax(0,1fr)]">
            <dt className="text-ink-soft">{label}</dt>
            <dd className="min-w-0 font-mono text-[0.8125rem] wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function rowsOf(entry: ServerEntry): readonly (readonly [label: string, value: ReactNode])[] {
  if ('url' in entry) return [['Address', textOf(entry.url)], ...valuesOf('Headers', entry.headers)]
  const command = [entry.command, ...(entry.args ?? [])].map(textOf).join(' ')
  return [['Command', command], ...valuesOf('Variables', entry.env)]
}

function valuesOf(
  label: string,
  values: Readonly<Record<string, string | KeptSecret>> = {},
): readonly (readonly [string, ReactNode])[] {
  const lines = Object.entries(values).map(([name, value]) => `${name}: ${textOf(value)}`)
  return lines.length === 0 ? [] : [[label, lines.map((line) => <div key={line}>{line}</div>)]]
}

function textOf(value: string | KeptSecret): string {
  return typeof value === 'string' ? value : '••••••'
}
