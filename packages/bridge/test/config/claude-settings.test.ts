import { mergeConfigs, readConfig } from '@toolbridge/bridge/config'
import { expect, test } from 'vitest'

test('settings of Claude Code disable servers and deny tools of other files', () => {
  const source = (file: string, value: object): Parameters<typeof mergeConfigs>[0][number] => ({
    file,
    scope: 'project',
    reading: readConfig(JSON.stringify(value), { file, workspaceFolder: '/app' }),
  })
  const { servers } = mergeConfigs([
    source('/app/.mcp.json', {
      mcpServers: { off: { command: 'a' }, 'some.files': { command: 'a' }, all: { command: 'a' } },
    }),
    source('/app/.claude/settings.json', {
      disabledMcpjsonServers: ['off'],
      permissions: { deny: ['mcp__some_files__drop', 'mcp__all', 'Bash(rm *)'] },
    }),
  ])
  expect(servers.map(({ spec: { name, enabled, tools } }) => ({ name, enabled, deny: tools?.deny }))).toEqual(
    [
      { name: 'off', enabled: false, deny: undefined },
      { name: 'some.files', enabled: true, deny: ['drop'] },
      { name: 'all', enabled: true, deny: ['*'] },
    ],
  )
})
