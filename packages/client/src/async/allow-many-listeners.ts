import { hasNodeBuiltins } from '../runtime/has-node-builtins.ts'

/** Lets any number of operations listen to one signal. By default Node reports a leak at the eleventh listener. */
export function allowManyListeners(signal: AbortSignal): void {
  if (hasNodeBuiltins()) process.getBuiltinModule('node:events').setMaxListeners(0, signal)
}
