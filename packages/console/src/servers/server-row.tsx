import type { ServerStatus } from '@toolbridge/api'
import { Link } from 'wouter'
import { durationText } from '../ui/time.tsx'
import { ServerActions } from './server-actions.tsx'
import { Facts, identityOf } from './server-facts.tsx'
import { StateBadge } from './server-state.tsx'
import { ServerTroubles } from './server-trouble.tsx'
import { serverPath } from '../state/page-paths.ts'

/** A server: its state, its details and, if it belongs to this person, its actions. */
export function ServerRow({ server }: { readonly server: ServerStatus }) {
  return (
    <li aria-label={server.name} className="px-4 py-3.5">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 md:grid-cols-[7rem_minmax(0,1fr)_auto_5rem]">
        <div className="flex max-md:order-3">
          <StateBadge state={server.state} />
        </div>
        <div className="max-md:order-1">
          <Link
            href={serverPath(server.name)}
            className="rounded font-mono text-[0.9375rem] font-medium wrap-anywhere underline-offset-4 hover:underline"
          >
            {server.name}
          </Link>
          <Facts facts={identityOf(server)} />
        </div>
        <Measures server={server} />
        <div className="flex justify-end max-md:order-2">
          <ServerActions server={server} />
        </div>
      </div>
      <div className="md:ml-[8rem]">
        <ServerTroubles server={server} />
      </div>
    </li>
  )
}

function Measures({ server: { toolCount, startedInMs } }: { readonly server: ServerStatus }) {
  return (
    <div className="flex justify-end gap-4 text-[0.8125rem] whitespace-nowrap text-ink-soft max-md:order-4 md:text-right">
      <span className="md:w-16">{toolCount > 0 && `${toolCount} ${toolCount === 1 ? 'tool' : 'tools'}`}</span>
      <span className="md:w-32">
        {startedInMs !== undefined && `started in ${durationText(startedInMs)}`}
      </span>
    </div>
  )
}
