import { AlertDialog as ConfirmParts, Dialog as Parts } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button, IconButton } from './button.tsx'
import { focusFirst, useReturnFocus } from './use-return-focus.ts'

const overlay = 'fixed inset-0 z-40 bg-shade'
const sheetShape =
  'appear fixed inset-x-0 bottom-0 max-h-[92dvh] overflow-y-auto rounded-t-xl border border-line bg-surface p-5 shadow-xl focus:outline-none sm:inset-x-auto sm:bottom-auto sm:top-1/2 sm:left-1/2 sm:-translate-1/2 sm:rounded-xl sm:p-6'
const sheet = `z-50 ${sheetShape}`

/** Properties of `Dialog`. */
export interface DialogProps {
  readonly title: string
  readonly description: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A modal dialog; Escape closes it. */
export function Dialog({ title, description, onClose, children }: DialogProps) {
  const returnFocus = useReturnFocus()
  return (
    <Parts.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Parts.Portal>
        <Parts.Overlay className={overlay} />
        <Parts.Content
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={returnFocus}
          className={`${sheet} sm:w-[min(44rem,calc(100vw-3rem))]`}
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <div className="min-w-0">
              <Parts.Title className="text-lg font-semibold tracking-tight break-words">{title}</Parts.Title>
              <Parts.Description className="mt-1 text-sm text-ink-soft">{description}</Parts.Description>
            </div>
            <Parts.Close asChild>
              <IconButton label="Close" icon="close" className="-mt-1.5 -mr-2" />
            </Parts.Close>
          </div>
          {children}
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  )
}

/** A dialog without fields has the focus on its first button. */
function focusFirstField(event: Event): void {
  if (event.currentTarget instanceof Element && focusFirst(event.currentTarget, 'input, select, textarea'))
    event.preventDefault()
}

/** Properties of `Confirm`. */
export interface ConfirmProps {
  readonly title: string
  readonly children: ReactNode
  /** Label of the button: a verb, not "OK". */
  readonly action: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks for confirmation of a destructive action. The cancel button has the focus. */
export function Confirm({ title, children, action, onConfirm, onClose }: ConfirmProps) {
  const returnFocus = useReturnFocus()
  return (
    <ConfirmParts.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <ConfirmParts.Portal>
        <ConfirmParts.Overlay className={overlay} />
        <ConfirmParts.Content
          onCloseAutoFocus={returnFocus}
          className={`${sheet} sm:w-[min(28rem,calc(100vw-3rem))]`}
        >
          <ConfirmParts.Title className="text-lg font-semibold tracking-tight break-words">
            {title}
          </ConfirmParts.Title>
          <ConfirmParts.Description className="mt-1.5 text-sm text-ink-soft">
            {children}
          </ConfirmParts.Description>
          <div className="mt-6 flex justify-end gap-2">
            <ConfirmParts.Cancel asChild>
              <Button>Cancel</Button>
            </ConfirmParts.Cancel>
            <ConfirmParts.Action asChild>
              <Button tone="danger" onClick={onConfirm}>
                {action}
              </Button>
            </ConfirmParts.Action>
          </div>
        </ConfirmParts.Content>
      </ConfirmParts.Portal>
    </ConfirmParts.Root>
  )
}

/** Properties of `Blocker`. */
export interface BlockerProps {
  readonly title: string
  readonly description: ReactNode
  readonly children: ReactNode
}

/** A dialog that cannot be closed, and hides everything below it. */
export function Blocker({ title, description, children }: BlockerProps) {
  return (
    <ConfirmParts.Root open>
      <ConfirmParts.Portal>
        <ConfirmParts.Overlay className="fixed inset-0 z-60 bg-paper" />
        <ConfirmParts.Content
          onOpenAutoFocus={focusContent}
          className={`z-70 ${sheetShape} sm:w-[min(32rem,calc(100vw-3rem))]`}
        >
          <ConfirmParts.Title className="text-xl font-semibold tracking-tight">{title}</ConfirmParts.Title>
          <ConfirmParts.Description className="mt-1.5 text-ink-soft">{description}</ConfirmParts.Description>
          {children}
        </ConfirmParts.Content>
      </ConfirmParts.Portal>
    </ConfirmParts.Root>
  )
}

/** Away from what is below: keys must not reach it. There is no cancel button, which would get the focus. */
function focusContent(event: Event): void {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}
