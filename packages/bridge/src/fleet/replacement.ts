import { findLostRestrictions } from '../config/spec/lost-restrictions.ts'
import type { ServerSpec } from '../config/spec/server-spec.ts'
import { messageOf } from '../text/message-of.ts'
import { stderrOf } from '../upstream/connections/launch.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** Whether a server may continue although its definition was changed: only if the new one does not allow less. */
export function mayContinue(running: ServerSpec, wanted: ServerSpec): boolean {
  return findLostRestrictions(wanted, running).length === 0
}

/** Why a changed definition is not in force. */
export function explainFailedReplacement({ isStopFirst }: Upstream, error: unknown): string {
  const hint =
    !isStopFirst && mayNeedStopFirst(error)
      ? '. If two instances cannot run at the same time, set "replace": "stop-first"'
      : ''
  return `${messageOf(error)}${hint}`
}

/** A hint only: what a server writes never decides how it is replaced. */
function mayNeedStopFirst(error: unknown): boolean {
  const text = [messageOf(error), ...stderrOf(error)].join('\n')
  return /EADDRINUSE|\bin use\b|\block(?:ed|file)?\b|already running/i.test(text)
}
