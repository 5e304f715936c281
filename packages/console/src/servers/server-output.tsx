import type { ServerOutputLine, ServerStatus } from '@toolbridge/api'
import { useEffect, useRef } from 'react'
import { Section } from '../ui/page.tsx'

/** Properties of `ServerOutput`. */
export interface ServerOutputProps {
  readonly server: ServerStatus
  readonly lines: readonly ServerOutputLine[]
}

/** The standard error of a server as it is written. Follows the end unless the reader scrolled up. */
export function ServerOutput({ server: { name }, lines }: ServerOutputProps) {
  const box = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    if (isAtEnd.current) box.current?.scrollTo(0, box.current.scrollHeight)
  }, [lines])
  const onScroll = (): void => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {}
    isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 4
  }
  return (
    <Section title="Standard error" note="Live, without secrets. Servers write their log here.">
      {lines.length === 0 ? (
        <p className="text-sm text-ink-soft">The server has written nothing.</p>
      ) : (
        <pre
          ref={box}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
          tabIndex={0}
          role="region"
          aria-label={`Standard error of ${name}`}
          onScroll={onScroll}
          className="max-h-80 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-[0.8125rem] leading-relaxed wrap-anywhere whitespace-pre-wrap"
        >
          {lines.map(({ number, text }) => `${text}${number === lines.at(-1)?.number ? '' : '\n'}`)}
        </pre>
      )}
    </Section>
  )
}
