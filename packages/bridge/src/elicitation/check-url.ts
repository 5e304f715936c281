import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import { parsedUrl } from '@toolbridge/client/internal'
import type { QuestionUrl } from './question.ts'

export type CheckedUrl =
  | { readonly kind: 'shown'; readonly address: QuestionUrl }
  | { readonly kind: 'refused'; readonly problem: string }

/**
 * Checks a URL that a server wants a person to open, and collects warnings about it. Inspects the text only: resolves and
 * fetches nothing.
 */
export function checkUrl(text: string): CheckedUrl {
  const url = parsedUrl(text)
  if (url === undefined) return refused('its URL is invalid')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    return refused('its URL is neither https nor on this machine')
  if (url.username !== '' || url.password !== '')
    return refused('its URL has credentials before the host, which disguise its target')
  return {
    kind: 'shown',
    address: { url: url.href, host: url.host, warnings: warningsAbout(url) },
  }
}

function refused(problem: string): CheckedUrl {
  return { kind: 'refused', problem }
}

/** `URL` has already lower-cased names and normalized IP addresses. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  )
}

const longestPlainHost = 60

function warningsAbout({ hostname, protocol }: URL): readonly string[] {
  const warnings: string[] = []
  const inUnicode = domainToUnicode(hostname)
  if (hostname.split('.').some((label) => label.startsWith('xn--')))
    warnings.push(
      `the host contains letters that may look like others: "${hostname}" reads as "${inUnicode}"`,
    )
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0 && !isLoopback(hostname))
    warnings.push('the host is an IP address')
  if (hostname.length > longestPlainHost || hostname.split('.').length > 5)
    warnings.push(
      `the host has many parts; only its end counts: "${hostname.split('.').slice(-3).join('.')}"`,
    )
  if (protocol === 'http:') warnings.push('data sent to this page is not encrypted')
  return warnings
}
