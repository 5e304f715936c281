import { useState } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { useLongText } from './use-long-text.tsx'

/** Properties of `Code`. */
export interface CodeProps {
  /** Shown as plain text, with hidden characters as their code points: it may come from an untrusted server. */
  readonly text: string
  readonly label: string
  readonly tone?: 'plain' | 'fail'
}

/** A block of preformatted text that can be scrolled with the keyboard and copied. */
export function Code({ text, label, tone = 'plain' }: CodeProps) {
  const { shown, more } = useLongText(text)
  return (
    <div className="group relative">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        role="region"
        aria-label={label}
        className={classNames(
          'max-h-96 overflow-auto rounded-md border bg-sunken p-3 pr-12 font-mono text-[0.8125rem] leading-relaxed break-words whitespace-pre-wrap',
          tone === 'fail' ? 'border-fail/40' : 'border-line',
        )}
      >
        {shown}
      </pre>
      <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
      {more}
    </div>
  )
}

function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <IconButton
      label={isCopied ? 'Copied' : label}
      icon={isCopied ? 'check' : 'copy'}
      onClick={() => void copy()}
      onBlur={() => setCopied(false)}
      className="absolute top-1 right-1 size-8 bg-sunken"
    />
  )
}

/** A value as indented JSON. */
export function JsonCode({ value, label }: { readonly value: unknown; readonly label: string }) {
  return <Code label={label} text={JSON.stringify(value, null, 2) ?? 'undefined'} />
}
