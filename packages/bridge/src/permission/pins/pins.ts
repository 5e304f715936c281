import { createHash } from 'node:crypto'
import type { JsonSchema, Tool, ToolAnnotations } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import { recordFolder } from '../../record-folder.ts'
import { canonicalJson } from '../rules/values.ts'

/** What a tool says about itself: all that a person, or a model, may have gone by. */
export interface PinnedDefinition {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
}

/** A tool as it was when it was approved. */
export interface Pin {
  readonly hash: string
  readonly definition: PinnedDefinition
}

/** Whose approval of which tool. Another definition of the server is another server. */
export interface PinKey {
  readonly principal: string
  readonly server: string
  /** Hash of the server's definition and of the file that it stands in. */
  readonly definition: string
  /** The server's own name for the tool. */
  readonly tool: string
}

/** Keeps what tools were like when they were approved. */
export interface PinStore {
  /** Undefined where nothing is kept. Must reject where that cannot be told: then a person is asked. */
  get(key: PinKey): Promise<Pin | undefined>
  set(key: PinKey, pin: Pin): Promise<void>
  remove(key: PinKey): Promise<void>
}

/** The pin of a tool as it is. */
export function pinOf(tool: Tool): Pin {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool
  const definition: PinnedDefinition = {
    name,
    inputSchema,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  }
  return { hash: hashOf(definition), definition }
}

function hashOf(definition: PinnedDefinition): string {
  return createHash('sha256').update(canonicalJson(definition)).digest('hex')
}

/** As many as fit in some tens of megabytes. */
const maxPins = 100_000

/** Pins that end with the process; of very many, those that were made first are forgotten. */
export function memoryPinStore(): PinStore {
  const pins = new Map<string, Pin>()
  return {
    get: async (key) => pins.get(pinKey(key)),
    set: async (key, pin) => {
      pins.set(pinKey(key), pin)
      if (pins.size > maxPins) for (const oldest of pins.keys()) return void pins.delete(oldest)
    },
    remove: async (key) => void pins.delete(pinKey(key)),
  }
}

/** Pins in a folder of their owner, safe to change from any number of processes at once. */
export function filePinStore(folder: string): PinStore {
  const records = recordFolder(folder)
  return {
    get: async (key) => pinIn(await records.read(pinKey(key)), key),
    set: (key, pin) => records.write(pinKey(key), { key: keyFields(key), definition: pin.definition }),
    remove: (key) => records.remove(pinKey(key)),
  }
}

function keyFields({ principal, server, definition, tool }: PinKey): PinKey {
  return { principal, server, definition, tool }
}

function pinKey(key: PinKey): string {
  return canonicalJson(keyFields(key))
}

function pinIn(record: unknown, key: PinKey): Pin | undefined {
  if (record === undefined) return undefined
  if (
    !isJsonObject(record) ||
    canonicalJson(record['key']) !== pinKey(key) ||
    !isPinned(record['definition'])
  )
    throw new TypeError(`what is kept of ${key.tool} of ${key.server} is damaged`)
  const { definition } = record
  return { hash: hashOf(definition), definition }
}

function isPinned(value: unknown): value is PinnedDefinition {
  return isJsonObject(value) && typeof value['name'] === 'string' && isJsonObject(value['inputSchema'])
}
