import { createHash } from 'node:crypto'
import type { JsonSchema, Tool, ToolAnnotations } from '@toolbridge/client'
import { isJsonObject } from '@toolbridge/client/internal'
import { recordFolder } from '../../record-folder.ts'
import { canonicalJson } from '../rules/values.ts'

/** The part of a tool definition that a person or model relies on. */
export interface PinnedDefinition {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
}

/** The definition of a tool at the time of its approval. */
export interface Pin {
  /** SHA-256 of the definition. */
  readonly hash: string
  /** The definition itself, to show what changed. */
  readonly definition: PinnedDefinition
}

/** The key of a pin. A changed server definition counts as another server. */
export interface PinKey {
  /** The principal who approved. */
  readonly principal: string
  /** Name of the server. */
  readonly server: string
  /** Hash of the server definition and the path of its file. */
  readonly definition: string
  /** Raw name of the tool. */
  readonly tool: string
}

/** Stores the pins of approved tools. */
export interface PinStore {
  /** Resolves with undefined if there is no pin. Must reject if that is unknown: then a person is asked. */
  get(key: PinKey): Promise<Pin | undefined>
  /** Stores a pin. */
  set(key: PinKey, pin: Pin): Promise<void>
  /** Removes a pin, if there is one. */
  remove(key: PinKey): Promise<void>
}

/** Creates the pin of a tool definition. */
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

/** Some tens of megabytes. */
const maxPins = 100_000

/** Creates a store in memory for at most 100,000 pins; the oldest are dropped first. */
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

/** Creates a store in a private folder. Several processes may use it at once. */
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
    throw new TypeError(`the pin of ${key.tool} of ${key.server} is damaged`)
  const { definition } = record
  return { hash: hashOf(definition), definition }
}

function isPinned(value: unknown): value is PinnedDefinition {
  return isJsonObject(value) && typeof value['name'] === 'string' && isJsonObject(value['inputSchema'])
}
