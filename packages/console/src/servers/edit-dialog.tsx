import type { ConfigResponse, DestinationChange, SaveConfigResponse } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { useToast } from '../ui/toast.tsx'
import { useLoad } from '../state/use-load.ts'
import { setServers, useChangeServers } from './change-servers.ts'
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
      {config.error !== null && <ErrorNotice title="The server could not be loaded" error={config.error} />}
      {config.data !== undefined && <EntryForm name={name} config={config.data} onClose={onClose} />}
    </Dialog>
  )
}

function EntryForm({ name, config, onClose }: EditDialogProps & { readonly config: ConfigResponse }) {
  const [base] = useState(config)
  const entry = base.mcpServers[name]
  const [text, setText] = useState(entry === undefined ? '' : entryText(entry))
  const save = useChangeServers()
  const toast = useToast()
  const reading = readEntryText(text)

  const submit = (
    on: ConfigResponse | undefined,
    confirmedDestinations?: readonly DestinationChange[],
  ): void => {
    if (reading.kind !== 'nameless') return
    const onSuccess = ({ warnings }: SaveConfigResponse): void => {
      toast({ tone: 'ready', title: 'Server saved', detail: name })
      if (warnings === undefined) onClose()
    }
    const change = setServers({ [name]: reading.entry })
    save.run({ change, base: on, confirmedDestinations }, { onSuccess })
  }

  if (entry === undefined) return <Notice tone="warn" title="This server was removed" />
  return (
    <>
      <ServerEditor
        label={`${name} as JSON`}
        initialText={text}
        read={readEntryText}
        reading={reading}
        onChange={setText}
      />
      <SaveFailure
        error={save.error}
        isSaving={save.isRunning}
        onApply={() => submit(undefined)}
        onConfirm={(changes) => submit(base, changes)}
      />
      {save.data?.warnings !== undefined ? (
        <SavedWarnings warnings={save.data.warnings} onClose={onClose} />
      ) : (
        <div className="mt-5 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            disabled={save.isRunning || reading.kind !== 'nameless'}
            onClick={() => submit(base)}
          >
            {save.isRunning ? 'Saving…' : 'Save'}
          </Button>
        </div>
      )}
    </>
  )
}
