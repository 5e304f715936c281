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

/** Runs a helper and parses the JSON object of headers that it prints. Returns undefined on failure. */
export async function runHeadersHelper(
  { command, args }: HeadersHelper,
  { env, cwd, signal }: RunHelperOptions,
): Promise<Readonly<Record<string, string>> | undefined> {
  const output = await new Promise<string | undefined>((resolve) => {
    // SIGKILL: a helper that ignores SIGTERM would delay the start.
    const ending = { timeout: timeoutMs, killSignal: 'SIGKILL' } as const
    const limits = { ...ending, maxBuffer: maxBytes, windowsHide: true, encoding: 'utf8' } as const
    const end = (): void => {
      // Processes that the helper started may keep these open.
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
