import type { SaveConfigResponse } from '@toolbridge/api'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { controlClasses, Field } from '../ui/field.tsx'
import { useToast } from '../ui/toast.tsx'
import { setServers, useChangeServers } from './change-servers.ts'
import { SaveFailure } from './save-failure.tsx'
import { SavedWarnings } from './saved-warnings.tsx'
import { ServerEditor } from './server-editor.tsx'
import { readServerText, type Servers, type ServerText } from './server-text.ts'

const example = `{
  "mcpServers": {
    "weather": {
      "command": "npx",
      "args": ["-y", "weather-mcp"],
      "env": { "API_KEY": "…" }
    },
    "docs": { "url": "https://docs.example/mcp" }
  }
}`

/** Properties of `AddDialog`. */
export interface AddDialogProps {
  /** Names that are already used. */
  readonly existing: readonly string[]
  readonly onClose: () => void
}

/** Adds servers from pasted JSON. Invalid JSON cannot be saved. */
export function AddDialog({ existing, onClose }: AddDialogProps) {
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const [isChecked, setChecked] = useState(false)
  const save = useChangeServers()
  const toast = useToast()
  const reading = readServerText(text)
  const servers = serversIn(reading, name.trim())
  const names = Object.keys(servers)

  const submit = (): void => {
    setChecked(true)
    if (names.length === 0) return
    const onSuccess = ({ warnings }: SaveConfigResponse): void => {
      toast({
        tone: 'ready',
        title: names.length === 1 ? 'Server saved' : `${names.length} servers saved`,
        detail: names.join(', '),
      })
      if (warnings === undefined) onClose()
    }
    save.run({ change: setServers(servers) }, { onSuccess })
  }

  return (
    <Dialog
      title="Add servers"
      description="Paste the mcpServers block of any MCP host, a map of servers, or one server."
      onClose={onClose}
    >
      <ServerEditor
        label="Servers as JSON"
        initialText=""
        example={example}
        read={readServerText}
        reading={isChecked || text.trimEnd().endsWith('}') ? reading : { kind: 'empty' }}
        onChange={setText}
      />
      {reading.kind === 'nameless' && (
        <NameField name={name} isMissing={isChecked && name.trim() === ''} onChange={setName} />
      )}
      {isChecked && reading.kind === 'empty' && (
        <p role="alert" className="mt-2 text-sm text-fail">
          Paste at least one server.
        </p>
      )}
      <Preview names={names} existing={existing} />
      <SaveFailure error={save.error} isSaving={save.isRunning} onApply={submit} />
      {save.data?.warnings !== undefined ? (
        <SavedWarnings warnings={save.data.warnings} onClose={onClose} />
      ) : (
        <div className="mt-5 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" disabled={save.isRunning} onClick={submit}>
            {save.isRunning ? 'Saving…' : 'Save and start'}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function serversIn(reading: ServerText, name: string): Servers {
  if (reading.kind === 'servers') return reading.servers
  return reading.kind === 'nameless' && name !== '' ? { [name]: reading.entry } : {}
}

interface NameFieldProps {
  readonly name: string
  readonly isMissing: boolean
  readonly onChange: (name: string) => void
}

function NameField({ name, isMissing, onChange }: NameFieldProps) {
  const error = isMissing ? 'Give the server a name.' : undefined
  return (
    <div className="mt-4">
      <Field
        label="Name"
        hint="This is one server without a name. Its tools will carry it."
        error={error}
        isRequired
      >
        {(control) => (
          <input
            {...control}
            value={name}
            onChange={(event) => onChange(event.target.value)}
            className={controlClasses}
          />
        )}
      </Field>
    </div>
  )
}

function Preview({
  names,
  existing,
}: {
  readonly names: readonly string[]
  readonly existing: readonly string[]
}) {
  return (
    <div role="status" className="text-sm text-ink-soft">
      {names.length > 0 && (
        <p className="mt-3">
          {names.length === 1 ? 'One server: ' : `${names.length} servers: `}
          {names.map((name, index) => (
            <span key={name}>
              {index > 0 && ', '}
              <span className="font-mono text-[0.8125rem] text-ink">{name}</span>
              {existing.includes(name) && <span className="text-warn"> (replaces the existing server)</span>}
            </span>
          ))}
        </p>
      )}
    </div>
  )
}
