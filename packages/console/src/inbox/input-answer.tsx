import type { AnswerRequest, InboxItem } from '@toolbridge/api'
import type { FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { controlClasses, Field } from '../ui/field.tsx'
import { useTypedState } from '../state/kept-state.ts'
import { answerKey } from './answer-keys.ts'

/** Properties of `InputAnswer`. */
export interface InputAnswerProps {
  readonly question: InboxItem & { readonly kind: 'input' }
  /** Whether it can still be answered. */
  readonly isOpen: boolean
  readonly isSending: boolean
  readonly send: (answer: AnswerRequest) => void
}

/** Asks for a value that a definition needs. A secret is hidden while it is typed. */
export function InputAnswer({
  question: { id: questionId, input },
  isOpen,
  isSending,
  send,
}: InputAnswerProps) {
  const { id, isSecret, options, default: initial = '' } = input
  const [value, setValue] = useTypedState(answerKey(questionId), () => initial)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    send({ action: 'accept', content: { value } })
  }
  return (
    <form onSubmit={submit}>
      <Field
        label={id}
        hint="Stored encrypted, and used only for this server as it is defined now."
        isRequired
      >
        {(control) =>
          options === undefined ? (
            <input
              {...control}
              type={isSecret ? 'password' : 'text'}
              autoComplete="off"
              value={value}
              onChange={(event) => setValue(event.target.value)}
              className={controlClasses}
            />
          ) : (
            <select
              {...control}
              value={value}
              onChange={(event) => setValue(event.target.value)}
              className={controlClasses}
            >
              <option value="">Choose…</option>
              {options.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </select>
          )
        }
      </Field>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" tone="primary" disabled={isSending || !isOpen || value === ''}>
          Save and start
        </Button>
        <Button disabled={isSending || !isOpen} onClick={() => send({ action: 'decline' })}>
          Decline
        </Button>
      </div>
    </form>
  )
}
