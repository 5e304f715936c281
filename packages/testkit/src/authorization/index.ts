/** A real authorization server, an MCP server that it protects, and a simulated person. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type AuthorizationSettings, flagsOf } from './settings.ts'
import type { TokenRequestEntry } from './token-request-entry.ts'

export { type LoggedIn, logIn, visit } from './person.ts'
export type { AuthorizationSettings } from './settings.ts'
export type { TokenRequestEntry } from './token-request-entry.ts'

/** A running authorization server and the MCP server that it protects. */
export interface AuthorizationFixture {
  /** The address of the authorization server. */
  readonly issuer: string
  /** The address of the MCP server, which is also its `resource`. */
  readonly resource: string
  /** Every request to the token endpoint so far. */
  tokenRequests(): Promise<readonly TokenRequestEntry[]>
  /** Holds responses: the token endpoint processes requests but does not respond. */
  holdAnswers(isHeld: boolean): Promise<void>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts both on free ports of the loopback interface. The caller closes them. */
export async function startAuthorizationFixture(
  settings: Partial<AuthorizationSettings> = {},
): Promise<AuthorizationFixture> {
  const child = spawn(process.execPath, [program(), ...flagsOf(settings)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // The library warns that this setup is unfit for production. The warnings are discarded.
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-4_000)
  })
  const exited = once(child, 'exit')
  const close = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  const started = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(120_000) }),
    exited.then(() => Promise.reject(new Error(`the authorization server ended: ${complaints}`))),
  ]).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const { issuer, resource } = JSON.parse(String(started[0])) as { issuer: string; resource: string }
  return {
    issuer,
    resource,
    tokenRequests: async () => linesOf(await (await fetch(`${issuer}/test/log`)).text()),
    async holdAnswers(isHeld) {
      await (await fetch(`${issuer}/test/${isHeld ? 'hold' : 'release'}`)).text()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function linesOf(text: string): readonly TokenRequestEntry[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TokenRequestEntry)
}

function program(): string {
  return fileURLToPath(new URL('../../dist/authorization/authorization-server.js', import.meta.url))
}
