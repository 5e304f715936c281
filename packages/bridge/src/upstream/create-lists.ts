import type { ServerSpec } from '../config/spec/server-spec.ts'
import { messageOf } from '../text/message-of.ts'
import { UpstreamLists } from './upstream-lists.ts'
import type { UpstreamOptions } from './upstream-options.ts'

/** What the lists need of their upstream. */
interface ListOwner {
  readonly spec: () => ServerSpec
  readonly isRunning: () => boolean
  /** Called if a list could not be read again. */
  readonly worsened: (error: unknown) => void
}

/** Creates the lists of an upstream. Changes become events, failures diagnostics. */
export function createLists(
  { emit, onList, startTimeoutMs }: UpstreamOptions,
  { spec, isRunning, worsened }: ListOwner,
): UpstreamLists {
  const tell = (code: string, message: string): void =>
    emit({ type: 'diagnostic', code, server: spec().name, message: `server "${spec().name}"${message}` })
  return new UpstreamLists({
    timeoutMs: () => spec().timeouts?.startMs ?? startTimeoutMs,
    onRead: (list, count) => {
      onList(list)
      if (list !== 'templates') emit({ type: `${list}.changed`, server: spec().name, count })
    },
    onFailed: (list, error) => {
      if (!isRunning()) return
      tell(`${list}_not_refreshed`, `: its new list of ${list} could not be read: ${messageOf(error)}`)
      worsened(error)
    },
    onUntold: (error) =>
      tell('changes_untold', ` did not accept the subscription to changes: ${messageOf(error)}`),
  })
}
