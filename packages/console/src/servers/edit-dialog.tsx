import type { ConfigResponse, SaveConfigResponse } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { useToast } from '../ui/toast.tsx'
import { useLoad } from '../state/use-load.ts'
import { type ServersSave, setServers, useChangeServers } from './change-servers.ts'
import { keepEdit, keptEdit } from './edit-drafts.ts'
import { SaveFailure } from './save-failure.tsx'
import { SavedWarnings } from './saved-warnings.tsx'
import { ServerEditor } from './server-editor.tsx'
import { entryText, readEntryText } from './server-text.ts'

/** Properties of `EditDialog`. */
export interface EditDialogProps {
  readonly name: string
  readonly onClose: () => void
}

/** Edits one server as JSON. References stand for its secrets. */
export function EditDialog({ name, onClose }: EditDialogProps) {
  const gateway = useGateway()
  const config = useLoad((signal) => gateway.readConfig({ signal }))
  return (
    <Dialog
      title={`Edit ${name}`}
      description={
        <>
          Everything that may be a secret is hidden.{' '}
          <code className="font-mono text-xs">{'{ "kept": … }'}</code> keeps the saved value; replace it with
          a string to change the value.
        </>
      }
      onClose={onClose}
    >
      {config.data === undefined && config.error === null && (
        <div className="skeleton h-60" role="status" aria-label="Loading the server" />
      )}
      {config.data === undefined && config.error !== null && (
        <ErrorNotice title="The server could not be loaded" error={config.error} onRetry={config.reload} />
      )}
      {config.data !== undefined && <EntryForm name={name} config={config.data} onClose={onClose} />}
    </Dialog>
  )
}

/** What the person agreed to replace and to change, since the dialog was opened. */
type Terms = Omit<ServersSave, 'change'>

function EntryForm({ name, config, onClose }: EditDialogProps & { readonly config: ConfigResponse }) {
  const [kept] = useState(() => keptEdit(name))
  const [base] = useState(kept?.base ?? config)
  const [terms, setTerms] = useState<Terms>({ base })
  const entry = base.mcpServers[name]
  const saved = entry === undefined ? '' : entryText(entry)
  const [text, setText] = useState(kept?.text ?? saved)
  const save = useChangeServers()
  const toast = useToast()
  const reading = readEntryText(text)

  const change = (typed: string): void => {
    setText(typed)
    keepEdit(name, typed === saved ? undefined : { text: typed, base })
  }
  const discard = (): void => {
    keepEdit(name, undefined)
    onClose()
  }
  const submit = (agreed: Terms = {}): void => {
    if (reading.kind !== 'nameless') return
    const agreedUntilNow = { ...terms, ...agreed }
    setTerms(agreedUntilNow)
    const onSuccess = ({ warnings }: SaveConfigResponse): void => {
      keepEdit(name, undefined)
      toast({ tone: 'ready', title: 'Server saved', detail: name })
      if (warnings === undefined) onClose()
    }
    const replaced = setServers({ [name]: reading.entry })
    save.run({ change: replaced, ...agreedUntilNow }, { onSuccess })
  }

  if (entry === undefined) return <Notice tone="warn" title="This server was removed" />
  return (
    <>
      {kept !== undefined && (
        <p role="status" className="mb-3 text-sm text-ink-soft">
          You typed this before and have not saved it.
        </p>
      )}
      <ServerEditor
        label={`${name} as JSON`}
        initialText={text}
        read={readEntryText}
        reading={reading}
        onChange={change}
      />
      <SaveFailure
        error={save.error}
        isSaving={save.isRunning}
        onApply={() => submit({ base: undefined })}
        onConfirm={(confirmedDestinations) => submit({ confirmedDestinations })}
      />
      {save.data?.warnings !== undefined ? (
        <SavedWarnings warnings={save.data.warnings} onClose={onClose} />
      ) : (
        <div className="mt-5 flex justify-end gap-2">
          <Button onClick={discard}>{text === saved ? 'Cancel' : 'Discard changes'}</Button>
          <Button
            tone="primary"
            disabled={save.isRunning || reading.kind !== 'nameless'}
            onClick={() => submit()}
          >
            {save.isRunning ? 'Saving…' : 'Save'}
          </Button>
        </div>
      )}
    </>
  )
}
