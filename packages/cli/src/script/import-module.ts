import { register } from 'node:module'
import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { ScriptHooksData } from './script-hooks-data.ts'
import { locatedSyntaxError } from './syntax-error.ts'

/** Imports a module of the user in JavaScript or TypeScript. Node keeps the hooks as long as the process runs. */
export async function importModule(url: string): Promise<unknown> {
  const { port1: loaded, port2: data } = new MessageChannel()
  // Neither keeps the process running.
  loaded.unref()
  register<ScriptHooksData>('#script-hooks', import.meta.url, {
    data: { loaded: data },
    transferList: [data],
  })
  try {
    return await import(/* @vite-ignore */ url)
  } catch (error) {
    throw error instanceof SyntaxError ? await locatedSyntaxError(error, receivedFrom(loaded)) : error
  }
}

/** The URLs that have been posted so far. */
function receivedFrom(port: MessagePort): readonly string[] {
  const urls: string[] = []
  for (;;) {
    const received: { readonly message: string } | undefined = receiveMessageOnPort(port)
    if (received === undefined) return urls
    urls.push(received.message)
  }
}
