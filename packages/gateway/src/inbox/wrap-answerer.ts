import type { Answerer, Question } from '@toolbridge/bridge'

/** Returns an answerer that asks by `ask`, on the channel of `inner`, and shows the kinds that `inner` shows, plus `added`. */
export function wrapAnswerer(
  inner: Answerer,
  ask: Answerer['ask'],
  added: readonly Question['kind'][] = [],
): Answerer {
  const { kinds, channel } = inner
  return {
    ...(channel === undefined ? {} : { channel }),
    ...(kinds === undefined ? {} : { kinds: [...added, ...kinds] }),
    ask,
  }
}
