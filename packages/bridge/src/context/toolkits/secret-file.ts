import { readRegularFile } from '../../config/documents/read-regular-file.ts'
import { resolve } from 'node:path'
import { type Issue, pointerTo } from '../../config/spec/issue.ts'
import { readConfig } from '../../config/read/read-config.ts'
import type { ServerSpec, SourceKind } from '../../config/spec/server-spec.ts'
import type { LocalAuthority } from './toolkit-opening.ts'

/** The file with the servers of the local user. */
export interface SecretFile {
  /** Absolute path. */
  readonly path: string
  readonly isMissing: boolean
  readonly servers: readonly ServerSpec[]
  readonly issues: readonly Issue[]
}

export interface SecretFileOptions {
  /** The path given by the caller. */
  readonly configPath: string | undefined
  readonly authority: LocalAuthority
  /** The source kind of the file in the working folder, if no path is given. */
  readonly unnamed: SourceKind
  readonly signal: AbortSignal | undefined
}

/** The path: the caller's, else `MCP_SECRET_PATH`, else `mcp-secret.json`. */
function secretFilePlace(
  configPath: string | undefined,
  { env, workspaceFolder }: LocalAuthority,
): { readonly path: string; readonly kind: SourceKind | undefined } {
  if (configPath !== undefined) return { path: resolve(workspaceFolder, configPath), kind: 'flag' }
  const named = env['MCP_SECRET_PATH']
  if (named) return { path: resolve(workspaceFolder, named), kind: 'environment' }
  return { path: resolve(workspaceFolder, 'mcp-secret.json'), kind: undefined }
}

/** Reads the file. A missing or unreadable file is reported as an issue. */
export async function readSecretFile(options: SecretFileOptions): Promise<SecretFile> {
  const { path, kind = options.unnamed } = secretFilePlace(options.configPath, options.authority)
  const { signal } = options
  try {
    const text = String(await readRegularFile(path))
    const { servers, issues } = readConfig(text, { file: path, dialect: 'lucky', kind })
    return { path, isMissing: false, servers, issues }
  } catch (error) {
    signal?.throwIfAborted()
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return { path, isMissing, servers: [], issues: isMissing ? [] : [unreadable(path)] }
  }
}

/** The problem of an entry of the file, if it exists and is invalid. */
export function problemOf(name: string, { issues }: SecretFile): string | undefined {
  const entry = pointerTo('/mcpServers', name)
  const issue = issues.find(
    ({ path, severity }) => severity === 'error' && `${path}/`.startsWith(`${entry}/`),
  )
  return issue === undefined ? undefined : `${issue.message}; ${issue.fix}`
}

function unreadable(path: string): Issue {
  return {
    code: 'file_unreadable',
    severity: 'error',
    file: path,
    path: '',
    message: `${path} cannot be read`,
    fix: 'check what it is and who may read it',
  }
}
