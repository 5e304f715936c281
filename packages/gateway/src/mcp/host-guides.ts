import type { HostGuide } from '@toolbridge/api'
import {
  connectableHosts,
  hostConfigFile,
  readConfig,
  type ServerSpec,
  writeConfig,
} from '@toolbridge/bridge/config'

/** Stands for the key, which the gateway does not keep. */
export const keyPlaceholder = 'YOUR_KEY'

const entryName = 'toolbridge'

const names: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  opencode: 'opencode',
  'claude-desktop': 'Claude Desktop',
  windsurf: 'Windsurf',
  zed: 'Zed',
  'qwen-code': 'Qwen Code',
  'core-agent': 'Core Agent',
  lucky: 'Lucky',
  yaaf: 'YAAF',
}

/** Returns how each host is connected to the MCP endpoint at `url`. */
export async function hostGuides(url: string): Promise<readonly HostGuide[]> {
  const order = Object.keys(names)
  const hosts = connectableHosts().toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
  return Promise.all(hosts.map((id) => guideOf(id, url)))
}

async function guideOf(id: string, url: string): Promise<HostGuide> {
  const files = await filesOf(id)
  const remote = writeConfig(entriesOf(remoteEntry(url)), { dialect: id })
  const usesKey = !remote.unwritableFields.some(({ outcome }) => outcome === 'refused')
  const own = { command: 'npx', args: ['-y', 'toolbridge', 'serve', '--stdio'] }
  const { text } = usesKey ? remote : writeConfig(entriesOf(own), { dialect: id })
  const command = usesKey ? commands[id]?.(url) : `npx -y toolbridge connect ${id}`
  return {
    id,
    name: names[id] ?? id,
    text,
    ...(files === undefined ? {} : { files }),
    ...(command === undefined ? {} : { command }),
    usesKey,
  }
}

function remoteEntry(url: string): object {
  return { url, headers: { Authorization: `Bearer ${keyPlaceholder}` } }
}

function entriesOf(entry: object): readonly ServerSpec[] {
  const text = JSON.stringify({ mcpServers: { [entryName]: entry } })
  return readConfig(text, { file: 'mcp.json', dialect: 'mcp-servers' }).servers
}

const header = `--header "Authorization: Bearer ${keyPlaceholder}"`

/** Commands of hosts that add a server with headers. */
const commands: Readonly<Record<string, (url: string) => string>> = {
  'claude-code': (url) =>
    `claude mcp add --transport http --scope user ${entryName} ${shellWord(url)} ${header}`,
  'gemini-cli': (url) =>
    `gemini mcp add --transport http --scope user ${header} ${entryName} ${shellWord(url)}`,
  vscode: (url) =>
    `code --add-mcp ${shellWord(JSON.stringify({ name: entryName, type: 'http', ...remoteEntry(url) }))}`,
}

function shellWord(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A folder that does not exist, so that nothing of this machine is in the result. */
const home = '/~'

/** The files for people, who may use another machine than that of the gateway. */
async function filesOf(id: string): Promise<HostGuide['files']> {
  const find = async (platform: 'linux' | 'darwin' | 'win32'): Promise<string | undefined> => {
    const env = { APPDATA: `${home}/AppData/Roaming` }
    const file = await hostConfigFile(id, 'user', { env, cwd: home, home, platform })
    const shown = file?.replace(home, '~')
    return platform === 'win32' ? shown?.replaceAll('/', '\\') : shown
  }
  const [linux, darwin, win32] = [await find('linux'), await find('darwin'), await find('win32')]
  if (linux === undefined || darwin === undefined || win32 === undefined) return undefined
  return { linux, darwin, win32 }
}
