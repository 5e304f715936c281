import { useServers } from '@toolbridge/react'
import { Button } from '../ui/button.tsx'
import { sentence } from '../ui/notice.tsx'
import { useToast } from '../ui/toast.tsx'
import { useAction } from '../state/use-action.ts'

/** Properties of `RestartButton`. */
export interface RestartButtonProps {
  readonly name: string
  /** The text on the button. */
  readonly children: string
  /** Accessible name. */
  readonly label: string
}

/** Starts a server again. */
export function RestartButton({ name, children, label }: RestartButtonProps) {
  const { restart } = useServers()
  const restarting = useAction(() => restart(name))
  const toast = useToast()
  const onError = (error: Error): void =>
    toast({ tone: 'fail', title: 'The restart failed', detail: sentence(error.message) })
  return (
    <Button
      aria-label={label}
      disabled={restarting.isRunning}
      onClick={() => restarting.run(undefined, { onError })}
    >
      {children}
    </Button>
  )
}
