import type { ToolTarget } from './call.ts'
import type { BridgeTool } from './catalog/bridge-tool.ts'
import type { Origin } from './origin.ts'
import { describeChange } from './permission/pins/describe-change.ts'
import type { PinStore } from './permission/pins/pins.ts'

/** What was approved of a tool, compared with what the tool is now. */
export interface ToolPin {
  /** Public name of the tool. */
  readonly tool: string
  /** Name of the server. */
  readonly server: string
  /** Raw name of the tool. */
  readonly rawName: string
  /** `changed`: the next call is asked about. `unreadable`: as well, because what was approved cannot be read. */
  readonly state: 'unchanged' | 'changed' | 'unreadable'
  /** A line diff of a changed tool: `-` marks what was approved, `+` what is new. Text of the server: untrusted. */
  readonly change?: string
}

/** The principal whose pins are meant. */
export interface PinOptions {
  /** Default: the bridge's own origin. */
  readonly origin?: Origin
}

/** The pins of the tools that the bridge has. Pins of other definitions of a server do not apply to it. */
export interface BridgePins {
  /** Lists the pinned tools by name. */
  list(options?: PinOptions): Promise<readonly ToolPin[]>
  /** Approves a tool as it is now. Resolves with whether there is such a tool. */
  accept(tool: string, options?: PinOptions): Promise<boolean>
  /** Removes the pin of a tool. Resolves with whether there was one. */
  remove(tool: string, options?: PinOptions): Promise<boolean>
}

export interface ToolPinsOptions {
  readonly pins: PinStore
  readonly origin: Origin
  readonly tools: () => readonly BridgeTool[]
  readonly find: (name: string) => ToolTarget | undefined
  /** Forgets which tools are known to be unchanged. */
  readonly forget: () => void
}

/** Creates the pins of a bridge. */
export function createToolPins(options: ToolPinsOptions): BridgePins {
  const { pins, forget } = options
  const keyOf = ({ permission }: ToolTarget, { origin = options.origin }: PinOptions = {}) =>
    permission.keyOf(origin.principal)
  return {
    list: async (given) => {
      const targets = options.tools().flatMap(({ name }) => options.find(name) ?? [])
      const compared = await Promise.all(
        targets.map((target) => compare(target, pins.get(keyOf(target, given)))),
      )
      return compared.filter((pin) => pin !== undefined)
    },
    accept: async (name, given) => {
      const target = options.find(name)
      if (target === undefined) return false
      await pins.set(keyOf(target, given), target.permission.pin)
      forget()
      return true
    },
    remove: async (name, given) => {
      const target = options.find(name)
      if (target === undefined) return false
      const key = keyOf(target, given)
      const isPinned = (await pins.get(key).catch(() => true)) !== undefined
      await pins.remove(key)
      forget()
      return isPinned
    },
  }
}

async function compare(
  { tool: { name: tool, server, rawName }, permission }: ToolTarget,
  stored: ReturnType<PinStore['get']>,
): Promise<ToolPin | undefined> {
  const commons = { tool, server, rawName }
  try {
    const pin = await stored
    if (pin === undefined) return undefined
    if (pin.hash === permission.pin.hash) return { ...commons, state: 'unchanged' }
    return { ...commons, state: 'changed', change: describeChange(pin, permission.pin) }
  } catch {
    return { ...commons, state: 'unreadable' }
  }
}
