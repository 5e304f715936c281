import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bridge, type BridgeOptions, openBridge } from '@toolbridge/bridge'
import { type Cassette, parseCassette, recordCassette } from '@toolbridge/bridge/cassette'
import { createMemoryPair, type McpTransport } from '@toolbridge/client'
import { runModernFixture } from '@toolbridge/testkit/servers'

export interface Recording {
  readonly text: string
  readonly cassette: Cassette
}

/** Runs `work` in a bridge and returns what was recorded. */
export async function recorded(
  options: BridgeOptions,
  work: (bridge: Bridge) => Promise<unknown>,
): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), 'toolbridge-cassette-'))
  const file = join(folder, 'test.cassette')
  try {
    await recordInto(file, options, work)
    const text = readFileSync(file, 'utf8')
    return { text, cassette: parseCassette(text, 'test.cassette') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs `work` in a bridge and appends its messages to a file. */
export async function recordInto(
  file: string,
  options: BridgeOptions,
  work: (bridge: Bridge) => Promise<unknown>,
): Promise<void> {
  await using bridge = await openBridge({ ...options, onMessage: recordCassette(file) })
  await work(bridge)
}

/** A connection to an official server of one era, or of both, in this process. */
export async function linkOfficial(
  name: 'modern' | 'catalogue',
  era?: 'modern' | 'legacy',
): Promise<() => McpTransport> {
  const [link, end] = createMemoryPair()
  await runModernFixture(name, end, era)
  return () => link
}
