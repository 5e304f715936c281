import type { ReadResourceResponse, ResourceSummary } from '@toolbridge/api'
import { useGateway, useResourceUpdates } from '@toolbridge/react'
import { useEffect, useState } from 'react'
import { Resource } from '../content/content-block.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { LoadingRows } from '../ui/loading.tsx'
import { Markdown } from '../ui/markdown.tsx'
import { ErrorNotice, sentence } from '../ui/notice.tsx'
import { useAction } from '../state/use-action.ts'

/** Properties of `ResourcePanel`. */
export interface ResourcePanelProps {
  readonly server: string
  readonly uri: string
  /** Undefined for a resource that the server does not list, such as one of a template. */
  readonly listed: ResourceSummary | undefined
}

/** One resource: what it says about itself, its contents, and a switch to follow its changes. */
export function ResourcePanel({ server, uri, listed }: ResourcePanelProps) {
  const gateway = useGateway()
  const reading = useAction((signal?: AbortSignal) => gateway.readResource({ server, uri }, { signal }))
  const [isFollowed, setFollowed] = useState(false)
  const following = useResourceUpdates(isFollowed ? { server, uri } : undefined)
  const { run } = reading
  const isListed = listed !== undefined
  useEffect(() => {
    if (!isListed && following.updates === 0) return undefined
    const left = new AbortController()
    run(left.signal)
    return () => left.abort()
  }, [run, isListed, following.updates])
  return (
    <article aria-label={uri}>
      <Header server={server} uri={uri} listed={listed} />
      <div className="mb-5 flex flex-wrap items-center gap-3">
        <Button tone="primary" disabled={reading.isRunning} onClick={() => run(undefined)}>
          {reading.data === undefined ? 'Read' : 'Read again'}
        </Button>
        <Button aria-pressed={isFollowed} onClick={() => setFollowed(!isFollowed)}>
          {isFollowed ? 'Stop following' : 'Follow changes'}
        </Button>
        <FollowState {...following} />
      </div>
      {following.error !== null && (
        <p className="mb-4 text-sm text-warn">Changes are not shown: {sentence(following.error.message)}</p>
      )}
      {reading.error !== null && <ErrorNotice title="The resource could not be read" error={reading.error} />}
      {reading.isRunning && reading.data === undefined && <LoadingRows label="Reading the resource" />}
      {reading.data !== undefined && <Contents contents={reading.data.contents} />}
    </article>
  )
}

function Header({ server, uri, listed }: ResourcePanelProps) {
  const { title, name, description, mimeType, size } = listed ?? {}
  const facts = [mimeType, size === undefined ? undefined : `${size.toLocaleString('en')} bytes`].filter(
    Boolean,
  )
  return (
    <div className="mb-4">
      <h2 className="text-lg font-semibold tracking-tight wrap-anywhere">{title ?? name ?? uri}</h2>
      <p className="mt-0.5 font-mono text-xs wrap-anywhere text-ink-faint">
        {server} {uri}
      </p>
      {facts.length > 0 && <p className="mt-1 text-sm text-ink-soft">{facts.join(', ')}</p>}
      {description !== undefined && (
        <div className="mt-2 max-w-prose text-[0.9375rem] text-ink-soft">
          <Markdown text={description} />
        </div>
      )}
      {listed === undefined && (
        <p className="mt-2 text-sm text-ink-soft">
          The server does not list this resource, so it is read only when you say so.
        </p>
      )}
    </div>
  )
}

function FollowState({ isFollowed, updates }: ReturnType<typeof useResourceUpdates>) {
  const changes = updates === 1 ? '1 change' : `${updates} changes`
  return (
    <span role="status">
      {isFollowed && <Badge tone="ready">{updates === 0 ? 'Following' : `Following, ${changes}`}</Badge>}
    </span>
  )
}

function Contents({ contents }: Pick<ReadResourceResponse, 'contents'>) {
  if (contents.length === 0) return <p className="text-sm text-ink-soft">The resource is empty.</p>
  return (
    <section aria-label="Contents" aria-live="polite" className="appear space-y-4">
      {contents.map((each, index) => (
        // Contents may repeat a URI, and have no other id.
        // oxlint-disable-next-line react/no-array-index-key
        <Resource key={index} resource={each} />
      ))}
    </section>
  )
}
