import { nearestName } from '@toolbridge/client/internal'

/** Suggests the name that a misspelled one is likely meant to be: a sentence after a space, or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`
}
