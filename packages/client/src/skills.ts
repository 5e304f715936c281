/** Lists, reads and verifies skills of a server. */

import type { McpClient } from './client.ts'
import { listAll, type PagedList } from './features/pages.ts'
import { isJsonObject } from './jsonrpc/json.ts'
import { McpError, McpErrorCode, malformedError } from './jsonrpc/jsonrpc.ts'
import type { ResourceContents } from './model/resource.ts'
import type { Skill, SkillResource } from './model/skill.ts'
import { parseSkillDocument, type SkillDocument } from './skills/frontmatter.ts'
import { differingFields, skillMismatch, verifyBytes } from './skills/verify.ts'
import type { RequestOptions } from './jsonrpc/transport.ts'

export type { Skill, SkillResource } from './model/skill.ts'
export type { FrontmatterValue, SkillDocument } from './skills/frontmatter.ts'
export type { SkillMismatch } from './skills/verify.ts'

/** Name of the skills extension, to be declared in the client's `extensions`. */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills'

/** Options of `listSkills`. */
export interface SkillOptions extends RequestOptions {
  /** Called when invalid entries were dropped. */
  readonly onWarning?: (message: string) => void
}

/** A file of a skill with its contents. */
export interface SkillFile {
  /** URI of the file. */
  readonly uri: string
  /** Contents of the file. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** False if the server lists no files, so that there is nothing to verify. */
  readonly isVerified: boolean
}

const SKILLS: PagedList<Skill> = { method: 'skills/list', key: 'skills', what: 'skills', isItem: isSkill }

/** Lists the skills of a server, which may have others. Reads no file. */
export async function listSkills(client: McpClient, options: SkillOptions = {}): Promise<readonly Skill[]> {
  requireSkills(client)
  const { onWarning, ...request } = options
  const source = {
    maxPages: undefined,
    request: (method: string, params: object) => client.request(method, params, request),
    warn: (message: string) => onWarning?.(message),
  }
  return listAll(source, SKILLS)
}

/** Reads the entry of one skill. Reads no file. */
export async function getSkill(client: McpClient, uri: string, options?: RequestOptions): Promise<Skill> {
  requireSkills(client)
  const result = await client.request('skills/get', { uri }, options)
  const skill = isJsonObject(result) ? result['skill'] : undefined
  if (isSkill(skill)) return skill
  throw malformedError('invalid answer to skills/get: no valid skill')
}

/**
 * Reads a skill's SKILL.md and verifies its size, digest and frontmatter. Rejects with the mismatch in `data`: the skill
 * must not be used then.
 */
export async function readSkill(
  client: McpClient,
  skill: Skill,
  options?: RequestOptions,
): Promise<SkillDocument> {
  const { bytes } = await readSkillFile(client, skill, skill.uri, options)
  const document = parseSkillDocument(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  const differing = differingFields(document.frontmatter, skill.frontmatter)
  if (differing.length === 0) return document
  throw skillMismatch('frontmatter', skill.uri, `its frontmatter differs in ${differing.join(', ')}`)
}

/** Reads one file of a skill and verifies its size and digest. */
export async function readSkillFile(
  client: McpClient,
  { resources }: Skill,
  uri: string,
  options?: RequestOptions,
): Promise<SkillFile> {
  const entry = resources === 'dynamic' ? undefined : resources.find((resource) => resource.uri === uri)
  if (entry === undefined && resources !== 'dynamic') {
    throw skillMismatch('unlisted', uri, 'it is not among the files of the skill')
  }
  const { contents } = await client.readResource(uri, options)
  const content = contents.find((each) => each.uri === uri)
  if (content === undefined) throw malformedError(`the server answered with other resources than ${uri}`)
  const bytes = bytesOf(content)
  if (entry !== undefined) await verifyBytes(bytes, entry)
  return { uri, bytes, isVerified: entry !== undefined }
}

function requireSkills({ info }: McpClient): void {
  if (info !== null && info.capabilities.extensions?.[SKILLS_EXTENSION] !== undefined) return
  throw new McpError('the server does not support skills', {
    kind: 'unsupported',
    code: McpErrorCode.MethodNotFound,
  })
}

function isSkill(value: unknown): value is Skill {
  if (!isJsonObject(value) || !isJsonObject(value['frontmatter'])) return false
  const { uri, resources, frontmatter } = value
  const { name, description } = frontmatter
  if (typeof uri !== 'string' || typeof name !== 'string' || typeof description !== 'string') return false
  if (!uri.endsWith(`/${name}/SKILL.md`)) return false
  return resources === 'dynamic' || isManifest(resources, uri)
}

/** Every entry must be verifiable, and SKILL.md among them. */
function isManifest(resources: unknown, uri: string): boolean {
  if (!Array.isArray(resources) || !resources.every(isSkillResource)) return false
  return resources.some((resource) => resource.uri === uri)
}

function isSkillResource(value: unknown): value is SkillResource {
  if (!isJsonObject(value) || typeof value['uri'] !== 'string') return false
  const { digest, size } = value
  return typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest) && Number.isInteger(size)
}

function bytesOf(content: ResourceContents): Uint8Array<ArrayBuffer> {
  if ('text' in content) return new TextEncoder().encode(content.text)
  return Uint8Array.from(atob(content.blob), (character) => character.codePointAt(0) ?? 0)
}
