import type { AnswerRequest, AnswerValue, ApprovalDecision, InboxItem } from '@toolbridge/api'
import { GatewayError, useInbox } from '@toolbridge/react'
import { useId } from 'react'
import { SchemaForm } from '../forms/schema-form.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Code } from '../ui/code.tsx'
import { Icon } from '../ui/icon.tsx'
import { ErrorNotice, Notice, sentence } from '../ui/notice.tsx'
import { Ago } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { useAction } from '../state/use-action.ts'
import { answerKey } from './answer-keys.ts'
import { forgetAnswer, keepAnswer } from './begun-answers.ts'
import { InputAnswer } from './input-answer.tsx'
import { PageAnswer } from './page-answer.tsx'

/** Properties of `QuestionCard`. */
export interface QuestionCardProps {
  readonly question: InboxItem
  /** Whether it can still be answered. If not, what was typed stays until the person dismisses it. */
  readonly isOpen: boolean
}

/** A question and its answer form. Always names the asking server, and shows its message as plain text. */
export function QuestionCard({ question, isOpen }: QuestionCardProps) {
  const titleId = useId()
  const { send, isSending, error } = useSend(question.id)
  return (
    <Card
      role="article"
      aria-labelledby={titleId}
      className="appear overflow-hidden border-warn/50"
      onChange={() => keepAnswer(question)}
    >
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
        <p className="wrap-anywhere whitespace-pre-line">{question.message}</p>
        {question.host !== undefined && (
          <p className="text-sm text-ink-soft">
            The call came from the host <Name>{question.host}</Name>, as it calls itself.
          </p>
        )}
        {question.kind === 'approval' && <Approval question={question} isSending={isSending} send={send} />}
        {question.kind === 'input' && (
          <InputAnswer question={question} isOpen={isOpen} isSending={isSending} send={send} />
        )}
        {(question.kind === 'url' || question.kind === 'consent') && (
          <PageAnswer question={question} isSending={isSending} send={send} />
        )}
        {question.kind === 'form' && (
          <AnswerForm question={question} isOpen={isOpen} isSending={isSending} send={send} />
        )}
        {error !== null && !isClosed(error) && (
          <ErrorNotice title="The answer was not accepted" error={error} />
        )}
        {!isOpen && !isSending && <Withdrawn onDismiss={() => forgetAnswer(question.id)} />}
      </div>
    </Card>
  )
}

function Withdrawn({ onDismiss }: { readonly onDismiss: () => void }) {
  return (
    <Notice
      tone="warn"
      title="This question is no longer open"
      action={<Button onClick={onDismiss}>Dismiss</Button>}
    >
      The call has ended, or the question was answered elsewhere. What you typed stays here until you dismiss
      it.
    </Notice>
  )
}

function Asker({ question: { kind, server, tool = 'a tool' } }: { readonly question: InboxItem }) {
  if (kind === 'approval')
    return (
      <span>
        Allow <Name>{tool}</Name> to run on <Name>{server}</Name>?
      </span>
    )
  if (kind === 'consent')
    return (
      <span>
        <Name>{server}</Name> needs you to sign in
      </span>
    )
  if (kind === 'url')
    return (
      <span>
        <Name>{server}</Name> asks you to open a page, for <Name>{tool}</Name>
      </span>
    )
  if (kind === 'input')
    return (
      <span>
        <Name>{server}</Name> needs a value to start
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

type ApprovalItem = InboxItem & { readonly kind: 'approval' }

interface AnsweringProps {
  readonly isSending: boolean
  readonly send: (answer: AnswerRequest) => void
}

function Approval({
  question: { arguments: all, decisions },
  isSending,
  send,
}: AnsweringProps & { readonly question: ApprovalItem }) {
  return (
    <>
      <Arguments text={all.text} />
      {all.omitted > 0 && (
        <Notice tone="warn" title="Some arguments are not shown">
          {all.omitted.toLocaleString('en')} more characters are not shown. Allow the call only if you trust
          its source.
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" disabled={isSending} onClick={() => send({ action: 'accept' })}>
          Allow once
        </Button>
        <Button disabled={isSending} onClick={() => send({ action: 'decline' })}>
          Deny
        </Button>
      </div>
      <FurtherDecisions
        decisions={decisions.filter((decision) => decision !== 'once')}
        isSending={isSending}
        send={send}
      />
    </>
  )
}

type FurtherDecision = Exclude<ApprovalDecision, 'once'>

const decisionLabels: Readonly<Record<FurtherDecision, string>> = {
  session: 'This call, for the rest of the conversation',
  tool: 'This tool, for the rest of the conversation',
  always: 'This tool, always',
}

/** Collapsed, so that nobody approves more than one call by accident. */
function FurtherDecisions({
  decisions,
  isSending,
  send,
}: AnsweringProps & { readonly decisions: readonly FurtherDecision[] }) {
  if (decisions.length === 0) return null
  return (
    <details>
      <summary className="w-fit rounded text-sm text-ink-soft hover:text-ink">
        Allow more than this call
      </summary>
      <div className="mt-2 flex flex-wrap gap-2">
        {decisions.map((decision) => (
          <Button key={decision} disabled={isSending} onClick={() => send({ action: 'accept', decision })}>
            {decisionLabels[decision]}
          </Button>
        ))}
      </div>
    </details>
  )
}

const minCollapsedLines = 12

/** The complete arguments, collapsed if they are long. */
function Arguments({ text }: { readonly text: string }) {
  const lines = text.split('\n').length
  return (
    <details open={lines < minCollapsedLines && text.length < 1_000}>
      <summary className="w-fit rounded text-sm text-ink-soft hover:text-ink">
        All arguments ({lines} {lines === 1 ? 'line' : 'lines'}, {text.length.toLocaleString('en')}{' '}
        characters)
      </summary>
      <div className="mt-2">
        <Code label="All arguments" text={text} />
      </div>
    </details>
  )
}

function AnswerForm({
  question,
  isOpen,
  isSending,
  send,
}: AnsweringProps & QuestionCardProps & { readonly question: InboxItem & { kind: 'form' } }) {
  return (
    <SchemaForm
      label={`Answer to ${question.server}`}
      keptAs={answerKey(question.id)}
      schema={asShown(question.schema)}
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
        <Button type="submit" tone="primary" disabled={isSending || !isOpen}>
          Send answer
        </Button>
        <Button disabled={isSending || !isOpen} onClick={() => send({ action: 'decline' })}>
          Decline
        </Button>
      </div>
    </SchemaForm>
  )
}

/** Makes fields with a default required: if such a field is empty, the server applies the default unseen. */
function asShown(schema: Schema): Schema {
  const { properties, required } = schema
  const preset = Object.entries(properties ?? {}).filter(([, field]) => hasDefault(field))
  return {
    ...schema,
    required: [...(Array.isArray(required) ? required : []), ...preset.map(([name]) => name)],
  }
}

/** A default of null means that the field is optional. */
function hasDefault(field: unknown): boolean {
  return typeof field === 'object' && field !== null && 'default' in field && field.default !== null
}

type Schema = Readonly<Record<string, unknown>>

/** MCP allows flat forms only; any other value is sent as JSON text. */
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

/** A closed question may disappear from the page, so the error is shown as a toast. */
function useSend(id: string) {
  const { answer } = useInbox()
  const sending = useAction((request: AnswerRequest) => answer(id, request))
  const toast = useToast()
  const send = (request: AnswerRequest): void =>
    sending.run(request, {
      onSuccess: () => {
        forgetAnswer(id)
        toast({ tone: 'ready', title: request.action === 'accept' ? 'Answer sent' : 'Declined' })
      },
      onError: (error) =>
        isClosed(error) && toast({ tone: 'fail', title: 'Too late', detail: sentence(error.message) }),
    })
  return { send, isSending: sending.isRunning, error: sending.error }
}

function isClosed(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'question_not_open'
}
