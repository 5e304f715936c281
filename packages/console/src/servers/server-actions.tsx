import type { ServerStatus } from '@toolbridge/api'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { sentence } from '../ui/notice.tsx'
import { Switch } from '../ui/switch.tsx'
import { useToast } from '../ui/toast.tsx'
import { editServer } from './edited-server.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { useChangeServer, useRemoveServer } from './use-change-server.ts'
import { serverPath } from '../state/page-paths.ts'

/** What can be done with a server: nothing, if it is defined in the gateway's configuration file. */
export function ServerActions({ server }: { readonly server: ServerStatus }) {
  return server.scope === 'user' ? <Actions server={server} /> : <ReadOnly />
}

function ReadOnly() {
  return (
    <span
      title="Defined in the gateway’s configuration file"
      className="grid size-9 place-items-center text-ink-faint"
    >
      <Icon name="lock" />
      <span className="sr-only">Defined in the gateway’s configuration file</span>
    </span>
  )
}

function Actions({ server: { name, state } }: { readonly server: ServerStatus }) {
  const [isRenaming, setRenaming] = useState(false)
  const [location, navigate] = useLocation()
  const change = useChangeServer(name)
  const remove = useRemoveServer(name)
  const toast = useToast()
  const isOnOwnPage = location === serverPath(name)
  const onError = (error: Error): void =>
    toast({ tone: 'fail', title: 'The change failed', detail: sentence(error.message) })
  const toggle = (on: boolean): void => {
    const title = on ? 'Server enabled' : 'Server disabled'
    const onSuccess = (): void => toast({ tone: 'ready', title, detail: name })
    change.run({ disabled: !on }, { onSuccess, onError })
  }
  const removed = (): void => {
    if (isOnOwnPage) navigate('/servers')
  }
  const items = [
    { label: 'Edit as JSON', onSelect: () => editServer(name) },
    { label: 'Rename', onSelect: () => setRenaming(true) },
    {
      label: 'Remove',
      isDanger: true,
      onSelect: () => remove.run(undefined, { onSuccess: removed, onError }),
    },
  ]
  return (
    <div className="flex items-center gap-1.5">
      <Switch
        label={`Use ${name}`}
        isOn={state !== 'disabled'}
        isDisabled={change.isRunning}
        onChange={toggle}
      />
      <Menu label={`More for ${name}`} items={items} />
      {isRenaming && (
        <RenameDialog
          name={name}
          onClose={() => setRenaming(false)}
          onRenamed={(renamed) => isOnOwnPage && navigate(serverPath(renamed))}
        />
      )}
    </div>
  )
}
