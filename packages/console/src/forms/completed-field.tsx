import type { CompleteArgumentRequest } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { controlClasses, Field } from '../ui/field.tsx'

/** Properties of `CompletedField`. */
export interface CompletedFieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly isRequired: boolean
  readonly value: string
  readonly onChange: (value: string) => void
  /** What the server completes, but for the value of the argument. */
  readonly completes: Omit<CompleteArgumentRequest, 'argument'> & { readonly name: string }
}

/** Typing pauses for this long before the server is asked. */
const pauseMs = 150

/** A line of text for which the server suggests values while it is typed. */
export function CompletedField({ completes, value, onChange, ...field }: CompletedFieldProps) {
  const id = useId()
  const [isUsed, setUsed] = useState(false)
  const values = useCompletion(completes, value, isUsed)
  return (
    <Field {...field}>
      {(control) => (
        <>
          <input
            {...control}
            name={completes.name}
            list={id}
            autoComplete="off"
            value={value}
            onFocus={() => setUsed(true)}
            onChange={(event) => onChange(event.target.value)}
            className={controlClasses}
          />
          <datalist id={id}>
            {values.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

/** A server that cannot complete suggests nothing. */
function useCompletion(
  { name, ...request }: CompletedFieldProps['completes'],
  value: string,
  isUsed: boolean,
): readonly string[] {
  const gateway = useGateway()
  const [values, setValues] = useState<readonly string[]>([])
  const key = JSON.stringify({ ...request, argument: { name, value } } satisfies CompleteArgumentRequest)
  useEffect(() => {
    if (!isUsed) return undefined
    const left = new AbortController()
    const ask = async (): Promise<void> => {
      const asked: CompleteArgumentRequest = JSON.parse(key)
      const completion = await gateway.complete(asked, { signal: left.signal }).catch(() => undefined)
      if (!left.signal.aborted) setValues([...new Set(completion?.values)])
    }
    const timer = setTimeout(() => void ask(), pauseMs)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [gateway, key, isUsed])
  return values
}
