import { type Matcher, safeRegExp } from '@toolbridge/client/internal'

/** Matches the URIs that an RFC 6570 template can produce. Also matches some others. */
export function templateMatcher(template: string): Matcher {
  const parts = template
    .split(/(\{[^{}]*\})/)
    .map((part) => (part.startsWith('{') ? expression(part) : literal(part)))
  return safeRegExp(`^${parts.join('')}$`)
}

/** Simple expressions do not span segments of a path; the others may. */
function expression(part: string): string {
  return /^\{\w/.test(part) && !part.includes('*') ? '[^/]*' : '.*'
}

function literal(part: string): string {
  return part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}
