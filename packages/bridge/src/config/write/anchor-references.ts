import { dirname, isAbsolute, resolve } from 'node:path'
import { policyOf } from '../spec/policy.ts'
import type { ServerSpec } from '../spec/server-spec.ts'
import { type Piece, parseVariables, printVariables } from '../variables/variables.ts'

interface AnchorTarget {
  readonly dialect: string
  /** Path of the file to write, if it is known. */
  readonly file: string | undefined
}

/** Makes references relative to the file of a definition absolute, unless it is written to a file of the same folder. */
export function anchorReferences(spec: ServerSpec, { dialect, file }: AnchorTarget): ServerSpec {
  const folder = dirname(spec.source.file)
  const isSameFolder = file === undefined ? spec.dialect === dialect : dirname(file) === folder
  if (isSameFolder || !isAbsolute(spec.source.file)) return spec
  const { source, preset, policy, ...fields } = spec
  const anchored = mapTexts(fields, (text) => anchorText(text, folder)) as Omit<ServerSpec, 'source'>
  const whole = { ...anchored, source, ...(preset && { preset }), ...(policy && { policy }) } as ServerSpec
  return whole.transport === 'stdio' ? anchorPaths(whole, folder) : whole
}

function anchorText(text: string, folder: string): string {
  if (!text.includes('${file:') && !text.includes('${configFolder}')) return text
  const pieces = parseVariables(text)
  return pieces.every(isUsable) ? printVariables(pieces.map((piece) => anchorPiece(piece, folder))) : text
}

type Usable = Parameters<typeof printVariables>[0][number]

function isUsable({ kind }: Piece): boolean {
  return !['unknown', 'nested', 'cyclic', 'unterminated'].includes(kind)
}

function anchorPiece(piece: Piece, folder: string): Usable {
  if (piece.kind === 'predefined' && piece.name === 'configFolder') return { kind: 'text', text: folder }
  const isRelative = piece.kind === 'file' && !isAbsolute(piece.name) && !/^~[\\/]/.test(piece.name)
  return (isRelative ? { ...piece, name: resolve(folder, piece.name) } : piece) as Usable
}

/** Working directory and env file of dialects whose paths start at the file. */
function anchorPaths(spec: ServerSpec & { transport: 'stdio' }, folder: string): ServerSpec {
  const base = policyOf('paths.base', spec)
  if (base !== 'config-folder') return spec
  const anchored = (path: string): string => (path.startsWith('${') ? path : resolve(folder, path))
  const { cwd, envFile } = spec
  return {
    ...spec,
    cwd: cwd === undefined ? folder : anchored(cwd),
    ...(envFile === undefined ? {} : { envFile: anchored(envFile) }),
  }
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}
