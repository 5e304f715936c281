import { parsedUrl, withoutEnding } from '@toolbridge/client/internal'

/** The name of a server that is reached by URL: its host without `www`, `mcp`, `api` and the domains above. */
export function nameOfUrl(url: string): string {
  const host = parsedUrl(url)?.hostname ?? ''
  if (/^(?:127\.[\d.]+|\[::1\]|localhost)$/.test(host)) return 'localhost'
  if (/^[\d.]+$|^\[/.test(host)) return plain(host)
  const labels = host.split('.')
  const own = labels.slice(0, -1).find((label) => !generalLabels.has(label))
  return plain(own ?? labels[0] ?? '')
}

const generalLabels: ReadonlySet<string> = new Set(['www', 'mcp', 'api'])

/** The end of a path, and the beginning of a name, that count: patterns take quadratic time for long texts. */
const maxPathLength = 1_000
const maxNameLength = 200

/** The name of a server that is started: that of the package or script if a runner starts it, else that of the program. */
export function nameOfCommand([program = '', ...args]: readonly string[]): string {
  const base = withoutExtension(lastSegment(program))
  const named = isRunner.test(base) ? (startedBy(args) ?? base) : program
  return nameOfPackage(packageIn(named.slice(-maxPathLength)))
}

/** The package or project that a path such as `node_modules/@scope/name/dist/index.js` leads into, else the path itself. */
function packageIn(path: string): string {
  const [, name] = /^.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/s.exec(path) ?? []
  if (name !== undefined) return name.replace('\\', '/')
  if (path.startsWith('@')) return path
  const segments = path.split(/[\\/]/)
  const own = segments.findLast((segment) => !generalSegments.has(withoutExtension(segment)))
  return segments.length > 1 && own !== undefined && own !== '' ? own : path
}

/** Names of folders and files that say nothing about the program in them. */
const generalSegments: ReadonlySet<string> = new Set(
  '. .. bin build dist lib out src index main cli server'.split(' '),
)

const isRunner =
  /^(?:npx|npm|pnpm|pnpx|yarn|bunx?|node|deno|tsx|ts-node|uvx?|pipx|pythonw?[\d.]*|py|docker|podman)$/i
const subcommands: ReadonlySet<string> = new Set(['run', 'exec', 'dlx', 'x', 'tool'])
const optionsWithValue: ReadonlySet<string> = new Set(
  '-e --env -v --volume --mount --name --network -p --publish --package --from --with -r --require --import'.split(
    ' ',
  ),
)

/** What a runner starts: the first word that is neither an option nor the value of one. */
function startedBy(args: readonly string[]): string | undefined {
  return args.find((word, index) => {
    const isValue = optionsWithValue.has(args[index - 1] ?? '')
    return !word.startsWith('-') && !isValue && !subcommands.has(word)
  })
}

/** The name of a server by that of its package, program or script: without scope, folders, version and words that say that it is an MCP server. */
export function nameOfPackage(written: string): string {
  const [, scope = '', rest = written] = /^@([^/]+)\/(.+)$/.exec(written) ?? []
  const base = withoutExtension(lastSegment(withoutVersion(rest)))
  const short = base.replace(/^(?:mcp[-_])?(?:server[-_])?/, '').replace(/(?:[-_]mcp)?(?:[-_]server)?$/, '')
  return plain(/^(?:mcp|server|)$/.test(short) ? scope || base : short)
}

/** Before the first `@`, `==` or `:` that something precedes, except that of a drive of Windows. */
function withoutVersion(written: string): string {
  const version = /.(?:@|==|:(?!\\))/s.exec(written)
  return version === null ? written : written.slice(0, version.index + 1)
}

function lastSegment(path: string): string {
  return path.split(/[\\/]/).findLast((segment) => segment !== '') ?? ''
}

function withoutExtension(name: string): string {
  return name.replace(/(.)\.(?:[cm]?[jt]s|py|rb|sh|exe|cmd|bat|ps1)$/i, '$1')
}

function plain(text: string): string {
  const words = text.slice(0, maxNameLength).replaceAll(/[^\w.-]+/g, '-')
  return withoutEnding(words.replace(/^[-.]+/, ''), '-.') || 'server'
}
