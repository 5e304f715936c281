import { ConfigError } from '../../errors.ts'
import type { Issue } from '../spec/issue.ts'
import type { RemoteTransport } from '../spec/remote-transports.ts'
import type { HttpServerSpec, ServerSpec, StdioServerSpec } from '../spec/server-spec.ts'
import { readConfig } from './read-config.ts'

type SetByReader = 'name' | 'source' | 'dialect' | 'inputs' | 'preset'

/** A server that is started as a program, written in code. Fields and defaults are those of Toolbridge's own dialect. */
export type InlineProgram = Partial<Omit<StdioServerSpec, SetByReader | 'command'>> &
  Pick<StdioServerSpec, 'command'> & {
    /** The same as `transport`. Default: `stdio`. */
    readonly type?: 'stdio'
  }

/** A server that is reached by URL, written in code. Fields and defaults are those of Toolbridge's own dialect. */
export type InlineRemote = Partial<Omit<HttpServerSpec, SetByReader | 'url'>> &
  Pick<HttpServerSpec, 'url'> & {
    /** The same as `transport`. Default: by the scheme of the URL, `http` or `ws`. */
    readonly type?: RemoteTransport
  }

/** Servers by name, written in code as the entries of `mcpServers` are written in a file. */
export type InlineServers = Readonly<Record<string, InlineProgram | InlineRemote>>

/** The definitions of inline servers, with warnings. Throws a `ConfigError` if an entry cannot be used. */
export function readInlineServers(servers: InlineServers): {
  readonly servers: readonly ServerSpec[]
  readonly issues: readonly Issue[]
} {
  const text = JSON.stringify({ mcpServers: servers })
  const reading = readConfig(text, { file: 'code', dialect: 'mcp-servers', kind: 'code' })
  const issues = reading.issues.map(withoutPosition)
  if (issues.some(({ severity }) => severity === 'error')) throw ConfigError.of(issues)
  return { servers: reading.servers.map(withoutLine), issues }
}

/** Lines of the text that was read do not exist in the program. */
function withoutPosition({ line: _line, column: _column, ...issue }: Issue): Issue {
  return issue
}

function withoutLine(spec: ServerSpec): ServerSpec {
  const { line: _line, column: _column, ...source } = spec.source
  return { ...spec, source }
}
