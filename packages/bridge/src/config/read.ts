import type { Dialect } from './dialects/dialect.ts'
import { mcpServersDialect } from './dialects/mcp-servers.ts'
import { vscodeDialect } from './dialects/vscode.ts'
import { type Field, type Finding, fieldsOf, type Place, parseDocument, repeatedFields } from './document.ts'
import type { Issue } from './issue.ts'
import type { ServerSpec } from './spec.ts'

/** What a configuration says: the servers that can be used, and everything there is to say about the rest. */
export interface ConfigReading {
  /** The dialect it was read in; empty when none was recognised. */
  readonly dialect: string
  /** In the order of the text. */
  readonly servers: readonly ServerSpec[]
  readonly issues: readonly Issue[]
}

export interface ReadConfigOptions {
  /** The file's path, for messages. */
  readonly file: string
  /** Name of the dialect; recognised by its shape unless told. */
  readonly dialect?: string
}

/**
 * Reads a configuration text in any known dialect: JSON with comments and trailing commas. Never throws for what is
 * written there; a broken entry is left out with its issues and never hides the good ones.
 */
export function readConfig(text: string, options: ReadConfigOptions): ConfigReading {
  const document = parseDocument(text, options.file)
  if (!('root' in document)) return unread(document)
  const choice = chooseDialect(document.root, options.dialect)
  if (choice.kind === 'problem') return unread(document.issueAt(document.root, choice.finding))
  const issues: Issue[] = []
  const servers = choice.dialect.read({
    file: options.file,
    fields: fieldsOf(document.root),
    report: (place, finding) => issues.push(document.issueAt(place, finding)),
  })
  return { dialect: choice.dialect.name, servers, issues }
}

const dialects: readonly Dialect[] = [mcpServersDialect, vscodeDialect]

type Choice =
  | { readonly kind: 'dialect'; readonly dialect: Dialect }
  | { readonly kind: 'problem'; readonly finding: Finding }

function chooseDialect(root: Place, name: string | undefined): Choice {
  if (root.node.type !== 'object') {
    return problem('root_invalid', 'the document must be an object', 'write { "mcpServers": { … } }')
  }
  const fields = fieldsOf(root)
  const [repeated] = repeatedFields(fields)
  if (repeated !== undefined) {
    return problem('root_ambiguous', `"${repeated.key}" stands twice in the document`, 'merge the two')
  }
  const candidates = dialects.filter((dialect) => name === undefined || dialect.name === name)
  return candidates.length === 0 ? dialectUnknown() : recognise(candidates, fields)
}

function recognise(candidates: readonly Dialect[], fields: readonly Field[]): Choice {
  const [dialect, other] = candidates.filter((candidate) => candidate.recognises(fields))
  if (dialect === undefined) {
    return problem(
      'root_missing',
      'the document defines no servers',
      'add "mcpServers": { … } (or "servers")',
    )
  }
  if (other === undefined) return { kind: 'dialect', dialect }
  const message = 'the document has "mcpServers" and "servers" at once'
  return problem('root_ambiguous', message, 'keep one of them, with all servers in it')
}

function dialectUnknown(): Choice {
  const known = dialects.map((dialect) => dialect.name).join(', ')
  return problem('dialect_unknown', 'the named dialect is not known', `use one of: ${known}`)
}

function problem(code: string, message: string, fix: string): Choice {
  return { kind: 'problem', finding: { code, severity: 'error', message, fix } }
}

function unread(issue: Issue): ConfigReading {
  return { dialect: '', servers: [], issues: [issue] }
}
