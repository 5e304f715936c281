import { parsedUrl } from '../text/parsed-url.ts'
import { identifier } from './identifier.ts'

/** The prefix of the tools of a server that is reached by URL: its configured name, else the first label of its hostname. */
export function urlNamespace({ name, url }: { readonly name?: string; readonly url: string }): string {
  return namespaceNamed(name ?? hostLabel(url))
}

/** A name as the prefix of tools. */
export function namespaceNamed(name: string): string {
  return identifier(name) || 'server'
}

/** An invalid URL is reported by the transport. */
function hostLabel(url: string): string {
  const hostname = parsedUrl(url)?.hostname ?? ''
  // An IP address has no labels.
  return /^[\d.]+$|^\[/.test(hostname) ? hostname : (hostname.split('.')[0] ?? hostname)
}
