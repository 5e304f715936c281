import { Toast as Parts } from 'radix-ui'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { Badge } from './badge.tsx'
import { Button, IconButton } from './button.tsx'

/** A message of a toast. */
export interface ToastMessage {
  readonly tone: 'ready' | 'fail'
  readonly title: string
  readonly detail?: string
  /** What the person can do about it while the message is shown, for 20 s. */
  readonly action?: { readonly label: string; readonly onSelect: () => void }
}

const ToastContext = createContext<(message: ToastMessage) => void>(() => undefined)

/** Returns a function that shows a message for 6 s. Screen readers announce it; it never takes the focus. */
export function useToast(): (message: ToastMessage) => void {
  return useContext(ToastContext)
}

/** Height of a two-line message including its gap. */
const spaceRem = 7

/** Shows the messages of the page. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [messages, setMessages] = useState<readonly (ToastMessage & { readonly id: number })[]>([])
  const show = useCallback((message: ToastMessage) => {
    setMessages((shown) => [...shown.slice(-2), { ...message, id: (shown.at(-1)?.id ?? 0) + 1 }])
  }, [])
  const hide = (id: number): void => setMessages((shown) => shown.filter((message) => message.id !== id))
  return (
    <ToastContext value={show}>
      <Parts.Provider duration={6_000} label="Message">
        {children}
        {/* Adds the height of the messages to the page, so that they never cover its last row. */}
        <div aria-hidden="true" style={{ height: `${messages.length * spaceRem}rem` }} />
        {messages.map((message) => (
          <ToastSheet key={message.id} message={message} onHide={() => hide(message.id)} />
        ))}
        <Parts.Viewport className="fixed right-0 bottom-16 z-50 flex w-full max-w-sm flex-col gap-2 p-4 lg:bottom-0" />
      </Parts.Provider>
    </ToastContext>
  )
}

function ToastSheet({ message, onHide }: { readonly message: ToastMessage; readonly onHide: () => void }) {
  return (
    <Parts.Root
      {...(message.action === undefined ? {} : { duration: 20_000 })}
      onOpenChange={(isOpen) => !isOpen && onHide()}
      className="appear flex items-start justify-between gap-3 rounded-lg border border-line-strong bg-surface py-2 pr-1.5 pl-4 shadow-lg"
    >
      <div className="min-w-0 py-1.5">
        <Parts.Title>
          <Badge tone={message.tone}>{message.title}</Badge>
        </Parts.Title>
        {message.detail !== undefined && (
          <Parts.Description className="mt-0.5 text-sm break-words text-ink-soft">
            {message.detail}
          </Parts.Description>
        )}
      </div>
      {message.action !== undefined && (
        <Parts.Action asChild altText={message.action.label}>
          <Button className="my-0.5 ml-auto" onClick={message.action.onSelect}>
            {message.action.label}
          </Button>
        </Parts.Action>
      )}
      <Parts.Close asChild>
        <IconButton label="Dismiss" icon="close" />
      </Parts.Close>
    </Parts.Root>
  )
}
