import type { Progress } from '@toolbridge/client'
import type { Answerer, Origin } from './elicitation/question.ts'

export interface CallOptions {
  /** On whose behalf the call is made; the bridge's own origin unless told. */
  readonly origin?: Origin
  /** Where questions of this call go, before the bridge's default channel. */
  readonly answerer?: Answerer
  /** Aborting cancels the call, which rejects with the signal's own reason. */
  readonly signal?: AbortSignal
  /** How long the server may be silent; progress and a person's time to answer do not count. */
  readonly timeoutMs?: number
  readonly onProgress?: (progress: Progress) => void
}
