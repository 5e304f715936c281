import { expect, test } from 'vitest'
import { isLikelyHost, platformOf } from '../src/connect/host-match.ts'

test.each([
  ['claude-code', 'claude-code'],
  ['cursor', 'cursor-vscode'],
  ['vscode', 'Visual Studio Code'],
  ['codex', 'codex-mcp-client'],
  ['gemini-cli', 'gemini-cli-mcp-client'],
  ['zed', 'Zed'],
])('the host %s is recognized by the name "%s", and only it', (id, name) => {
  const ids = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex', 'gemini-cli', 'qwen-code', 'zed']
  expect(ids.filter((each) => isLikelyHost(each, name))).toEqual([id])
})

test('the platform is that of the browser', () => {
  expect(platformOf('Mozilla/5.0 (Windows NT 10.0; Win64; x64)')).toBe('win32')
  expect(platformOf('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)')).toBe('darwin')
  expect(platformOf('Mozilla/5.0 (X11; Linux x86_64)')).toBe('linux')
})
