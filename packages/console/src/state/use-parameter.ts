import { useParams } from 'wouter'

/** A parameter in the URL of a page; undefined if there is none. */
export function useParameter(name: string): string | undefined {
  return decoded(useParams<Record<string, string | undefined>>()[name])
}

/** The URL may contain any text. */
function decoded(name: string | undefined): string | undefined {
  try {
    return name === undefined ? undefined : decodeURIComponent(name)
  } catch {
    return name
  }
}
