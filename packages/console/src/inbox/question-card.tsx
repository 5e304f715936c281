import type { AnswerRequest, AnswerValue, InboxItem } from '@toolbridge/api'
import { GatewayError } from '@toolbridge/react'
import { useId } from 'react'
import { useAnswer } from '../api.ts'
import { SchemaForm } from '../forms/schema-form.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Code } from '../ui/code.tsx'
import { Icon } from '../ui/icon.tsx'
import { ErrorNotice, sentence } from '../ui/notice.tsx'
import { Ago } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'

/** One question with the means to answer it. Who asks is always shown; what they say is shown as text. */
export function QuestionCard({ question }: { readonly question: InboxItem }) {
  const titleId = useId()
  const { send, isSending, error } = useSend(question.id)
  return (
    <Card role="article" aria-labelledby={titleId} className="appear overflow-hidden border-warn/50">
      <div
        id={titleId}
        className="flex items-start gap-2 border-b border-line bg-warn-soft px-5 py-2.5 text-[0.8125rem]"
      >
        <Icon name={question.kind === 'form' ? 'question' : 'lock'} className="mt-0.5 text-warn" />
        <Asker question={question} />
        <span className="ml-auto pl-2 text-ink-soft">
          <Ago at={question.askedAt} />
        </span>
      </div>
      <div className="space-y-4 p-5">
        <p className="break-words whitespace-pre-line">{question.message}</p>
        {question.kind === 'approval' ? (
          <Approval detail={question.detail} isSending={isSending} send={send} />
        ) : (
          <AnswerForm question={question} isSending={isSending} send={send} />
        )}
        {error !== null && <ErrorNotice title="The answer was not accepted" error={error} />}
      </div>
    </Card>
  )
}

function Asker({ question: { kind, server, tool = 'a tool' } }: { readonly question: InboxItem }) {
  if (kind === 'approval')
    return (
      <span>
        May <Name>{tool}</Name> run on <Name>{server}</Name>?
      </span>
    )
  return (
    <span>
      <Name>{server}</Name> asks, for <Name>{tool}</Name>
    </span>
  )
}

function Name({ children }: { readonly children: string }) {
  return <span className="font-mono text-xs font-medium wrap-anywhere">{children}</span>
}

interface AnsweringProps {
  readonly isSending: boolean
  readonly send: (answer: AnswerRequest) => void
}

function Approval({ detail, isSending, send }: AnsweringProps & { readonly detail: string }) {
  return (
    <>
      <Code label="The call" text={detail} />
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" disabled={isSending} onClick={() => send({ action: 'accept' })}>
          Allow once
        </Button>
        <Button disabled={isSending} onClick={() => send({ action: 'decline' })}>
          Deny
        </Button>
      </div>
    </>
  )
}

function AnswerForm({
  question,
  isSending,
  send,
}: AnsweringProps & { readonly question: InboxItem & { kind: 'form' } }) {
  return (
    <SchemaForm
      label={`Answer to ${question.server}`}
      schema={question.schema}
      textEntry="line"
      isDisabled={isSending}
      onSubmit={(values) => send({ action: 'accept', content: answerContent(values) })}
    >
      <p className="mt-4 text-[0.8125rem] text-ink-faint">
        Your answer goes to the server{' '}
        <span className="font-mono text-xs wrap-anywhere">{question.server}</span>. Do not enter passwords or
        keys.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" tone="primary" disabled={isSending}>
          Send answer
        </Button>
        <Button disabled={isSending} onClick={() => send({ action: 'decline' })}>
          Decline
        </Button>
      </div>
    </SchemaForm>
  )
}

/** Questions are flat by the protocol; whatever else a schema asked for travels as its JSON text. */
function answerContent(values: Readonly<Record<string, unknown>>): Readonly<Record<string, AnswerValue>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isAnswerValue(value) ? value : JSON.stringify(value),
    ]),
  )
}

function isAnswerValue(value: unknown): value is AnswerValue {
  if (Array.isArray(value)) return value.every((part) => typeof part === 'string')
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** A question that is no longer open leaves the page with the inbox, so that is told where it can still be read. */
function useSend(id: string) {
  const answer = useAnswer(id)
  const toast = useToast()
  const send = (request: AnswerRequest): void =>
    answer.mutate(request, {
      onSuccess: () =>
        toast({ tone: 'ready', title: request.action === 'accept' ? 'Answer sent' : 'Declined' }),
      onError: (error) =>
        isClosed(error) && toast({ tone: 'fail', title: 'Too late', detail: sentence(error) }),
    })
  return { send, isSending: answer.isPending, error: answer.error }
}

function isClosed(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'question_not_open'
}
