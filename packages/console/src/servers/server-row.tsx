import type { ServerState, ServerStatus } from '@toolbridge/api'
import { useState } from 'react'
import { Badge, Tag, type Tone } from '../ui/badge.tsx'
import { Code } from '../ui/code.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { sentence } from '../ui/notice.tsx'
import { Switch } from '../ui/switch.tsx'
import { durationText } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { enableServer, removeServer, type ServersChange, useChangeServers } from './change-servers.ts'
import { EditDialog } from './edit-dialog.tsx'

const states: Readonly<Record<ServerState, { readonly tone: Tone; readonly text: string }>> = {
  ready: { tone: 'ready', text: 'Ready' },
  degraded: { tone: 'warn', text: 'Degraded' },
  starting: { tone: 'busy', text: 'Starting' },
  stopped: { tone: 'off', text: 'Stopped' },
  down: { tone: 'fail', text: 'Down' },
  failed: { tone: 'fail', text: 'Failed' },
  disabled: { tone: 'off', text: 'Off' },
  untrusted: { tone: 'warn', text: 'Not trusted' },
  unauthorized: { tone: 'warn', text: 'Needs sign-in' },
}

/** One server: its state, what is known about it, and, when it is this person's, what can be done with it. */
export function ServerRow({ server }: { readonly server: ServerStatus }) {
  const { tone, text } = states[server.state]
  return (
    <li aria-label={server.name} className="px-4 py-3.5">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-mono text-[0.9375rem] font-medium break-all">{server.name}</span>
            <Badge tone={tone}>{text}</Badge>
          </div>
          <Facts server={server} />
        </div>
        {server.scope === 'user' ? <Actions server={server} /> : <ReadOnly />}
      </div>
      {server.error !== undefined && <Trouble server={server} error={server.error} />}
    </li>
  )
}

function Facts({ server }: { readonly server: ServerStatus }) {
  const { serverInfo, protocolVersion, startedInMs, toolCount, transport } = server
  const facts = [
    serverInfo === undefined ? '' : `${serverInfo.name} ${serverInfo.version}`,
    toolCount === 0 ? '' : `${toolCount} ${toolCount === 1 ? 'tool' : 'tools'}`,
    startedInMs === undefined ? '' : `started in ${durationText(startedInMs)}`,
    protocolVersion === undefined ? '' : `MCP ${protocolVersion}`,
  ].filter((fact) => fact !== '')
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-ink-soft">
      <Tag>{transport}</Tag>
      {facts.map((fact, place) => (
        <span key={fact} className="break-words">
          {place > 0 && <span className="mr-2 text-line-strong">·</span>}
          {fact}
        </span>
      ))}
    </div>
  )
}

function Trouble({ server, error }: { readonly server: ServerStatus; readonly error: string }) {
  const { stderr = [], name } = server
  return (
    <div className="mt-3 border-l-2 border-fail/60 pl-3 text-sm">
      <p className="break-words text-fail">{sentence(new Error(error))}</p>
      {stderr.length > 0 && (
        <details className="mt-1.5">
          <summary className="w-fit rounded text-ink-soft hover:text-ink">
            What it wrote last ({stderr.length} {stderr.length === 1 ? 'line' : 'lines'})
          </summary>
          <div className="mt-2">
            <Code text={stderr.join('\n')} label={`Output of ${name}`} />
          </div>
        </details>
      )}
    </div>
  )
}

function ReadOnly() {
  return (
    <span title="Set by the gateway’s file" className="grid size-9 place-items-center text-ink-faint">
      <Icon name="lock" />
      <span className="sr-only">Set by the gateway’s file</span>
    </span>
  )
}

function Actions({ server }: { readonly server: ServerStatus }) {
  const { name } = server
  const [open, setOpen] = useState<'nothing' | 'edit' | 'remove'>('nothing')
  const save = useChangeServers()
  const toast = useToast()
  const isOn = server.state !== 'disabled'
  const close = (): void => setOpen('nothing')
  const change = (to: ServersChange, title: string): void =>
    save.mutate(
      { change: to },
      {
        onSuccess: () => toast({ tone: 'ready', title, detail: name }),
        onError: (error) => toast({ tone: 'fail', title: 'Nothing was changed', detail: sentence(error) }),
      },
    )
  const toggle = (on: boolean): void =>
    change(enableServer(name, on), on ? 'Server switched on' : 'Server switched off')
  const items = [
    { label: 'Edit as JSON', onSelect: () => setOpen('edit') },
    { label: 'Remove', isDanger: true, onSelect: () => setOpen('remove') },
  ]
  return (
    <div className="flex items-center gap-1.5">
      <Switch label={`Use ${name}`} isOn={isOn} isDisabled={save.isPending} onChange={toggle} />
      <Menu label={`More for ${name}`} items={items} />
      {open === 'edit' && <EditDialog name={name} onClose={close} />}
      {open === 'remove' && (
        <Confirm
          title={`Remove ${name}?`}
          action="Remove"
          onConfirm={() => change(removeServer(name), 'Server removed')}
          onClose={close}
        >
          It stops and its tools go away. To have it back, you will need its secrets again.
        </Confirm>
      )}
    </div>
  )
}
