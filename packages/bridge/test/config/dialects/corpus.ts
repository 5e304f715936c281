import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReadConfigOptions } from '@toolbridge/bridge'

const folder: string = fileURLToPath(new URL('corpus', import.meta.url))

/** A configuration file of the corpus and where a host would keep it. */
export interface CorpusFile {
  /** Such as `cursor/basic.json`. */
  readonly name: string
  /** The dialect it is about; `shapes` for files that only their shape can tell. */
  readonly group: string
  readonly text: string
  readonly options: ReadConfigOptions
}

/** Where each dialect's files stand, so that they are recognised by their path. */
const locations: Readonly<Record<string, string>> = {
  'core-agent': '/home/ada/app/.agents/mcp.json',
  lucky: '/home/ada/app/mcp-secret.json',
  yaaf: '/home/ada/app/.yaaf/mcp.json',
  'claude-desktop': '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
  'claude-code': '/home/ada/app/.mcp.json',
  'claude-code/user-file.json': '/home/ada/.claude.json',
  'claude-code/managed.json': '/etc/claude-code/managed-mcp.json',
  cursor: '/home/ada/app/.cursor/mcp.json',
  vscode: '/home/ada/app/.vscode/mcp.json',
  'vscode/old-settings.json': '/home/ada/app/.vscode/settings.json',
  'copilot-cli': '/home/ada/.copilot/mcp-config.json',
  crush: '/home/ada/app/.crush.json',
  roo: '/home/ada/app/.roo/mcp.json',
  goose: '/home/ada/.config/goose/config.yaml',
  kiro: '/home/ada/app/.kiro/settings/mcp.json',
  amp: '/home/ada/.config/amp/settings.json',
  'qwen-code': '/home/ada/app/.qwen/settings.json',
  windsurf: '/home/ada/.codeium/windsurf/mcp_config.json',
  'gemini-cli': '/home/ada/app/.gemini/settings.json',
  'gemini-cli/percent-on-windows.json': 'C:\\Users\\ada\\.gemini\\settings.json',
  'gemini-cli/extension.json': '/home/ada/.gemini/extensions/mine/gemini-extension.json',
  codex: '/home/ada/.codex/config.toml',
  opencode: '/home/ada/app/opencode.json',
  'opencode-v2': '/home/ada/.config/opencode/opencode.json',
  zed: '/home/ada/.config/zed/settings.json',
  continue: '/home/ada/.continue/config.yaml',
  'continue/claude-style.json': '/home/ada/app/.continue/mcpServers/playwright.json',
  'continue/folder.json': '/home/ada/app/.continue/mcpServers/folder.json',
  cline: '/home/ada/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
  'lm-studio': 'C:\\Users\\ada\\.lmstudio\\mcp.json',
  inspector: '/home/ada/.mcp-inspector/mcp.json',
  mcporter: '/home/ada/app/config/mcporter.json',
  'mcp-servers': '/home/ada/app/.toolbridge/mcp.json',
}

/** Every file of the corpus, sorted by name. */
export function corpusFiles(): readonly CorpusFile[] {
  const groups = readdirSync(folder).toSorted()
  return groups.flatMap((group) =>
    readdirSync(join(folder, group))
      .toSorted()
      .map((file) => corpusFile(group, file)),
  )
}

function corpusFile(group: string, file: string): CorpusFile {
  const name = `${group}/${file}`
  const location = locations[name] ?? locations[group] ?? `/home/ada/app/${file}`
  const platform = location.startsWith('C:') ? 'win32' : 'linux'
  const options = { file: location, workspaceFolder: '/home/ada/app', platform }
  return { name, group, text: readFileSync(join(folder, name), 'utf8'), options }
}

/** The golden file of a corpus file. */
export function goldenOf({ group, name }: CorpusFile): string {
  const file = basename(name)
  return join('golden', group, `${file.slice(0, file.length - extname(file).length)}.json`)
}
