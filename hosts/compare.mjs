/** Compares what a host did with what a definition says. */
import { toolNames } from './stub-answers.mjs'

/**
 * Compares one server. When a file is read, the host is the limit and Toolbridge must not be wider. When a file is
 * written, the definition is the limit and the host must not be wider.
 *
 * `same`: started the same way with the same tools. `refused`: left out, and the report says why. `lossy`: narrower or
 * different, and reported. `wider`: started although the limit does not start it, or has more tools. `different`: not
 * the same, and not reported.
 */
export function compare({ limit, user, expected, actual, isReported }) {
  if (!limit.isStarted && !user.isStarted) return { outcome: 'same', detail: 'not started' }
  if (!limit.isStarted) return { outcome: 'wider', detail: 'must not be started' }
  if (!user.isStarted) return { outcome: isReported ? 'refused' : 'different', detail: 'not started' }
  const more = user.tools.filter((tool) => !limit.tools.includes(tool))
  if (more.length > 0) return { outcome: 'wider', detail: `must not have ${more.join(', ')}` }
  const fewer = limit.tools.filter((tool) => !user.tools.includes(tool))
  const differences = [
    ...launchDifferences(expected, actual),
    ...(fewer.length === 0 ? [] : [`lacks ${fewer.join(', ')}`]),
  ]
  if (differences.length === 0) return { outcome: 'same', detail: '' }
  return { outcome: isReported ? 'lossy' : 'different', detail: differences.join('; ') }
}

/** What the host did with a server. */
export function actualOf(label, { starts, reached, tools }) {
  const start = starts.find((each) => each.label === label)
  const requests = reached.get(label)
  if (start === undefined && requests === undefined) return { isStarted: false }
  // The stub answers Streamable HTTP only: for other transports, a request is all there is.
  const isOnlyReached = requests?.every(({ kind, method }) => kind === 'sse' || method === 'GET') === true
  return { isStarted: true, start, requests, tools: isOnlyReached ? toolNames : tools(label) }
}

function launchDifferences({ url, headers = {}, args, env, cwd }, { start, requests }) {
  if (url !== undefined)
    return requests === undefined ? ['not reached by URL'] : headerDifferences(headers, requests)
  if (start === undefined) return ['not started as a program']
  const variables = Object.entries(env).filter(([name, value]) => start.env[name] !== value)
  return [
    ...(same(args, start.args) ? [] : [`host passes ${shown(start.args)}, not ${shown(args)}`]),
    ...(cwd === start.cwd ? [] : [`host uses the working directory ${start.cwd}, not ${cwd}`]),
    ...variables.map(
      ([name, value]) => `host sets ${name} to ${shown(start.env[name])}, not ${shown(value)}`,
    ),
  ]
}

function headerDifferences(headers, requests) {
  return Object.entries(headers)
    .filter(([name, value]) => !requests.some((request) => request.headers[name.toLowerCase()] === value))
    .map(([name]) => `another value of the header ${name}`)
}

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other)
}

function shown(value) {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}
