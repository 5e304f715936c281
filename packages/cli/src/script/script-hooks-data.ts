import type { MessagePort } from 'node:worker_threads'

/** What the hooks of the module loader get. */
export interface ScriptHooksData {
  /** Gets the URL of each ES module that is loaded. */
  readonly loaded: MessagePort
}
