import type { ServerState, ServerStatus } from '@toolbridge/api'
import { useServers } from '@toolbridge/react'
import { useState } from 'react'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { sentence } from '../ui/notice.tsx'
import { Switch } from '../ui/switch.tsx'
import { durationText } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { useAction } from '../ui/use-action.ts'
import { enableServer, removeServer, type ServersChange, useChangeServers } from './change-servers.ts'
import { definitionFacts } from './definition-facts.ts'
import { EditDialog } from './edit-dialog.tsx'
import { SignInButton } from './sign-in-button.tsx'

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

/** A server: its state, its details and, if it belongs to this person, its actions. */
export function ServerRow({ server }: { readonly server: ServerStatus }) {
  const { tone, text } = states[server.state]
  return (
    <li aria-label={server.name} className="px-4 py-3.5">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 md:grid-cols-[7rem_minmax(0,1fr)_auto_5rem]">
        <div className="flex max-md:order-3">
          <Badge tone={tone}>{text}</Badge>
        </div>
        <div className="max-md:order-1">
          <span className="font-mono text-[0.9375rem] font-medium wrap-anywhere">{server.name}</span>
          <Facts facts={identityOf(server)} />
          {server.report !== undefined && <Facts facts={definitionFacts(server.report)} />}
        </div>
        <Measures server={server} />
        <div className="flex justify-end max-md:order-2">
          {server.scope === 'user' ? <Actions server={server} /> : <ReadOnly />}
        </div>
      </div>
      {server.error !== undefined && (
        <Trouble name={server.name} error={server.error} stderr={server.stderr} canRetry={isGone(server)} />
      )}
      {server.canSignIn === true && <SignInButton name={server.name} />}
      {server.failedReplacement !== undefined && (
        <Trouble
          name={server.name}
          error={`Running the previous definition: ${server.failedReplacement.error}`}
          stderr={server.failedReplacement.stderr}
          canRetry
        />
      )}
    </li>
  )
}

function Measures({ server: { toolCount, startedInMs } }: { readonly server: ServerStatus }) {
  return (
    <div className="flex justify-end gap-4 text-[0.8125rem] whitespace-nowrap text-ink-soft max-md:order-4 md:text-right">
      <span className="md:w-16">{toolCount > 0 && `${toolCount} ${toolCount === 1 ? 'tool' : 'tools'}`}</span>
      <span className="md:w-24" title="Start duration">
        {startedInMs !== undefined && `up in ${durationText(startedInMs)}`}
      </span>
    </div>
  )
}

/** Details separated by dots; the dot at the start of a line is clipped. */
function Facts({ facts }: { readonly facts: readonly string[] }) {
  return (
    <div className="overflow-hidden">
      <p className="-ml-4 flex flex-wrap text-[0.8125rem] text-ink-soft">
        {facts.map((fact) => (
          <span
            key={fact}
            className="relative min-w-0 pl-4 break-words before:absolute before:left-0 before:w-4 before:text-center before:text-ink-faint before:content-['·']"
          >
            {fact}
          </span>
        ))}
      </p>
    </div>
  )
}

function identityOf({ transport, serverInfo, protocolVersion }: ServerStatus): readonly string[] {
  const version = serverInfo === undefined ? [] : [`${serverInfo.name} ${serverInfo.version}`]
  return [transport, ...version, ...(protocolVersion === undefined ? [] : [`MCP ${protocolVersion}`])]
}

function isGone({ state }: ServerStatus): boolean {
  return state === 'failed' || state === 'down'
}

interface TroubleProps {
  readonly name: string
  readonly error: string
  readonly stderr: readonly string[] | undefined
  readonly canRetry: boolean
}

function Trouble({ name, error, stderr = [], canRetry }: TroubleProps) {
  return (
    <div className="mt-3 border-l-2 border-fail/60 pl-3 text-sm md:ml-[8rem]">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-60 break-words text-fail">{sentence(new Error(error))}</p>
        {canRetry && <TryAgain name={name} />}
      </div>
      {stderr.length > 0 && (
        <details className="mt-1.5">
          <summary className="w-fit rounded text-ink-soft hover:text-ink">
            Last output ({stderr.length} {stderr.length === 1 ? 'line' : 'lines'})
          </summary>
          <div className="mt-2">
            <Code text={stderr.join('\n')} label={`Output of ${name}`} />
          </div>
        </details>
      )}
    </div>
  )
}

function TryAgain({ name }: { readonly name: string }) {
  const { restart } = useServers()
  const restarting = useAction(() => restart(name))
  const toast = useToast()
  const onError = (error: Error): void =>
    toast({ tone: 'fail', title: 'The restart failed', detail: sentence(error) })
  return (
    <Button
      aria-label={`Try ${name} again`}
      disabled={restarting.isRunning}
      onClick={() => restarting.run(undefined, { onError })}
    >
      Try again
    </Button>
  )
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

function Actions({ server }: { readonly server: ServerStatus }) {
  const { name } = server
  const [open, setOpen] = useState<'nothing' | 'edit' | 'remove'>('nothing')
  const save = useChangeServers()
  const toast = useToast()
  const isOn = server.state !== 'disabled'
  const close = (): void => setOpen('nothing')
  const change = (to: ServersChange, title: string): void =>
    save.run(
      { change: to },
      {
        onSuccess: () => toast({ tone: 'ready', title, detail: name }),
        onError: (error) => toast({ tone: 'fail', title: 'The change failed', detail: sentence(error) }),
      },
    )
  const toggle = (on: boolean): void =>
    change(enableServer(name, on), on ? 'Server enabled' : 'Server disabled')
  const items = [
    { label: 'Edit as JSON', onSelect: () => setOpen('edit') },
    { label: 'Remove', isDanger: true, onSelect: () => setOpen('remove') },
  ]
  return (
    <div className="flex items-center gap-1.5">
      <Switch label={`Use ${name}`} isOn={isOn} isDisabled={save.isRunning} onChange={toggle} />
      <Menu label={`More for ${name}`} items={items} />
      {open === 'edit' && <EditDialog name={name} onClose={close} />}
      {open === 'remove' && (
        <Confirm
          title={`Remove ${name}?`}
          action="Remove"
          onConfirm={() => change(removeServer(name), 'Server removed')}
          onClose={close}
        >
          The server stops and its tools are removed. To add it again, you need its secrets.
        </Confirm>
      )}
    </div>
  )
}
