/** Headers and methods that need no permission, by the Fetch standard. */
const safeMethods = new Set(['GET', 'HEAD', 'POST'])
const safeRequestHeaders = new Set(['accept', 'accept-language', 'content-language'])
const safeResponseHeaders = new Set([
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'expires',
  'last-modified',
  'pragma',
])

/**
 * `fetch` as a page of this origin has it: asks for permission first where the Fetch standard requires it, fails if the server
 * does not give it, and hides response headers that the server does not expose. Without credentials of the browser.
 */
export function pageFetch(origin: string): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const named = [...request.headers.keys()].filter((name) => !isSafe(name, request.headers.get(name) ?? ''))
    if (!safeMethods.has(request.method) || named.length > 0) await preflight(request, origin, named)
    const headers = new Headers(request.headers)
    headers.set('origin', origin)
    const response = await fetch(new Request(request, { headers }))
    requireOrigin(response, origin)
    return exposed(response)
  }
}

async function preflight({ url, method }: Request, origin: string, named: readonly string[]): Promise<void> {
  const headers: Record<string, string> = { origin, 'access-control-request-method': method }
  if (named.length > 0) headers['access-control-request-headers'] = named.toSorted().join(',')
  const response = await fetch(url, { method: 'OPTIONS', headers })
  requireOrigin(response, origin)
  const [methods, names] = [listIn(response, 'methods'), listIn(response, 'headers')]
  if (!response.ok) throw new TypeError(`preflight: status ${response.status}`)
  if (!safeMethods.has(method) && !methods.has(method.toLowerCase()))
    throw new TypeError(`preflight: method ${method} is not allowed`)
  const refused = named.filter((name) => !names.has(name))
  if (refused.length > 0) throw new TypeError(`preflight: ${refused.join(', ')} not allowed`)
}

function requireOrigin({ headers }: Response, origin: string): void {
  const allowed = headers.get('access-control-allow-origin')
  if (allowed !== origin) throw new TypeError(`CORS: ${String(allowed)} is allowed, not ${origin}`)
}

/** JSON is no safe content type. */
function isSafe(name: string, value: string): boolean {
  if (name !== 'content-type') return safeRequestHeaders.has(name)
  return /^(?:text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)\b/.test(value)
}

function exposed(response: Response): Response {
  const names = listIn(response, 'expose-headers', '')
  const shown = [...response.headers].filter(([name]) => safeResponseHeaders.has(name) || names.has(name))
  return new Response(response.body, { status: response.status, headers: shown })
}

function listIn({ headers }: Response, name: string, prefix = 'allow-'): ReadonlySet<string> {
  const list = headers.get(`access-control-${prefix}${name}`) ?? ''
  return new Set(list.split(',').map((entry) => entry.trim().toLowerCase()))
}
