import { readConfig, type ServerSpec, writeConfig, writtenDialects } from '@toolbridge/bridge/config'
import { describe, expect, test } from 'vitest'
import { corpusFiles } from './corpus.ts'

const files = corpusFiles().map((file) => ({ ...file, reading: readConfig(file.text, file.options) }))
const written = new Set(writtenDialects())
const workspaceFolder = '/home/ada/app'

/** Hosts whose files cannot disable a server: it is read as disabled, and never written. */
const withoutSwitch: ReadonlySet<string> = new Set(['claude-desktop', 'cursor', 'vscode'])

/** What a definition says, wherever it was written. */
function said({ source: _source, ...spec }: ServerSpec): object {
  return spec
}

function byName(one: ServerSpec, other: ServerSpec): number {
  return one.name < other.name ? -1 : 1
}

test('the dialects of the five projects, our own and those of the hosts named here are written', () => {
  expect(writtenDialects().toSorted(), 'dialects with `write`').toEqual(
    ['mcp-servers', 'agent-apps', 'core-agent', 'lucky', 'yaaf', 'llm-sdk']
      .concat(['claude-code', 'cursor', 'vscode', 'codex', 'gemini-cli', 'opencode', 'opencode-v2'])
      .concat(['claude-desktop', 'windsurf', 'zed', 'qwen-code'])
      .toSorted(),
  )
})

describe('what is read, written in the same dialect and read again is the same', () => {
  const own = files.filter(({ reading }) => written.has(reading.dialect))
  test.each(own.map((file) => [file.name, file] as const))('%s', (_name, { reading, options }) => {
    const { dialect } = reading
    const { platform } = options
    // Only the user's file of Claude Code can disable servers.
    const file = dialect === 'claude-code' ? '/home/ada/app/.claude.json' : options.file
    const writing = writeConfig(reading.servers, {
      dialect,
      workspaceFolder,
      file,
      ...(platform && { platform }),
    })
    const hidden = withoutSwitch.has(dialect) ? reading.servers.filter(({ enabled }) => !enabled) : []
    expect(writing.unwritableFields).toMatchObject(
      hidden.map((spec) => ({ server: spec.name, field: 'enabled', outcome: 'refused' })),
    )
    const servers = reading.servers.filter((spec) => !hidden.includes(spec))
    expect(writing.policies).toEqual([])
    const again = readConfig(writing.text, { ...options, dialect })
    expect(again.issues.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(again.servers.toSorted(byName).map(said)).toEqual(servers.toSorted(byName).map(said))
  })
})

describe('a conversion into another dialect loses nothing without a word', () => {
  test.each([...written])('%s', (dialect) => {
    for (const { reading, name } of files) {
      const { text, unwritableFields } = writeConfig(reading.servers, {
        dialect,
        workspaceFolder,
        platform: 'linux',
      })
      const again = readConfig(text, { file: 'converted', dialect, workspaceFolder, platform: 'linux' })
      const told = new Set(unwritableFields.map(({ server }) => server))
      const silent = reading.servers.filter((spec) => !told.has(spec.name))
      const kept = again.servers.filter((spec) => !told.has(spec.name))
      expect(kept.map(({ name: server }) => server).toSorted(), name).toEqual(
        silent.map(({ name: server }) => server).toSorted(),
      )
      const untold = unwritableFields.filter(({ outcome, reason, field }) =>
        [outcome, field, reason].includes(''),
      )
      expect(untold, name).toEqual([])
    }
  })
})
