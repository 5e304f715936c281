import { type ReactNode, useMemo, useState } from 'react'
import { Button } from './button.tsx'
import { visibleText } from './visible-text.ts'

/** Characters that are shown at first, and with each press. More of them at once make the page stop for a while. */
const [firstStep, nextStep] = [20_000, 50_000]

/** A text of a server of which the beginning is shown. */
export interface LongText {
  /** With hidden characters as their code points. */
  readonly shown: string
  /** Place it behind the text: shows more of it. Null if all of it is shown. */
  readonly more: ReactNode
}

/** Shows a text of any length, so that a page with a huge one stays fast. */
export function useLongText(text: string): LongText {
  const [length, setLength] = useState(firstStep)
  const shown = useMemo(() => visibleText(text.slice(0, length)), [text, length])
  const rest = text.length - length
  const more = rest > 0 && (
    <Button tone="quiet" onClick={() => setLength(length + nextStep)}>
      {`Show more (${rest.toLocaleString('en')} characters left)`}
    </Button>
  )
  return { shown, more: more || null }
}
