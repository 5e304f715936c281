import { isJsonObject } from '../jsonrpc/json.ts'
import type { Implementation } from '../model/capability.ts'

/** Whether a value is a usable `Implementation`. */
export function isImplementation(value: unknown): value is Implementation {
  return isJsonObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string'
}
