import type { Answerer, Question } from '@toolbridge/bridge'

/** Returns an answerer that asks by `ask` and shows the kinds of questions that `inner` shows, plus `added`. */
export function wrapAnswerer(
  inner: Answerer,
  ask: Answerer['ask'],
  added: readonly Question['kind'][] = [],
): Answerer {
  return inner.kinds === undefined ? { ask } : { kinds: [...added, ...inner.kinds], ask }
}
