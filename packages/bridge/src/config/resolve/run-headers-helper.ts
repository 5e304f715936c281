import { execFile } from 'node:child_process'
import { isJsonObject } from '@toolbridge/client/internal'
import type { HeadersHelper } from '../spec/server-spec.ts'

export interface RunHelperOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly signal?: AbortSignal
}

const timeoutMs = 10_000
const maxBytes = 64 * 1024

/** Runs a helper and reads the headers it prints as a JSON object of strings; undefined when it does not. */
export async function runHeadersHelper(
  { command, args }: HeadersHelper,
  { env, cwd, signal }: RunHelperOptions,
): Promise<Readonly<Record<string, string>> | undefined> {
  const output = await new Promise<string | undefined>((resolve) => {
    // One that does not listen would outlive the start, or hold it up.
    const ending = { timeout: timeoutMs, killSignal: 'SIGKILL' } as const
    const limits = { ...ending, maxBuffer: maxBytes, windowsHide: true, encoding: 'utf8' } as const
    const end = (): void => {
      // Whatever it started itself may still hold these.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy()
      child.kill('SIGKILL')
    }
    const child = execFile(command, [...args], { ...limits, env: { ...env }, cwd }, (error, stdout) => {
      signal?.removeEventListener('abort', end)
      resolve(error === null ? stdout : undefined)
    })
    signal?.addEventListener('abort', end)
  })
  signal?.throwIfAborted()
  return output === undefined ? undefined : headersIn(output)
}

function headersIn(output: string): Readonly<Record<string, string>> | undefined {
  try {
    const parsed: unknown = JSON.parse(output)
    const isHeaders = (value: unknown): value is Readonly<Record<string, string>> =>
      isJsonObject(value) && Object.values(value).every((header) => typeof header === 'string')
    return isHeaders(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
