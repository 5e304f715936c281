import type { FormEvent } from 'react'
import { GatewayError } from '@toolbridge/react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { controlClasses, Field } from '../ui/field.tsx'
import { sentence } from '../ui/notice.tsx'
import { useToast } from '../ui/toast.tsx'
import { useChangeServer } from './use-change-server.ts'

/** Properties of `RenameDialog`. */
export interface RenameDialogProps {
  readonly name: string
  readonly onRenamed: (name: string) => void
  readonly onClose: () => void
}

/** Gives a saved server another name. */
export function RenameDialog({ name, onRenamed, onClose }: RenameDialogProps) {
  const [text, setText] = useState(name)
  const change = useChangeServer(name)
  const toast = useToast()
  const newName = text.trim()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const onSuccess = (): void => {
      toast({ tone: 'ready', title: 'Server renamed', detail: `${name} is now ${newName}` })
      onClose()
      onRenamed(newName)
    }
    change.run({ name: newName }, { onSuccess })
  }
  return (
    <Dialog
      title={`Rename ${name}`}
      description="Its secrets, entered values, approvals and sign-in stay. Its tools get new names, and permission rules that name it must be changed."
      onClose={onClose}
    >
      <form onSubmit={submit} className="space-y-4">
        <Field label="New name" isRequired error={change.error === null ? undefined : reasonOf(change.error)}>
          {(control) => (
            <input
              {...control}
              className={`${controlClasses} font-mono`}
              autoComplete="off"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            tone="primary"
            disabled={newName === '' || newName === name || change.isRunning}
          >
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function reasonOf(error: Error): string {
  const [issue] = error instanceof GatewayError ? error.issues : []
  return sentence((issue ?? error).message)
}
