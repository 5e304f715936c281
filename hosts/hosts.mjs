/** The hosts: where their files are, and how to make each start its servers and offer their tools to a model. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const installed = fileURLToPath(new URL('node_modules/', import.meta.url))
const platform = `${process.platform}-${process.arch}`
const claudeCode = `${installed}@anthropic-ai/claude-code-${platform}/claude`
const opencode = `${installed}opencode-${platform}/bin/opencode`
const geminiCli = [process.execPath, `${installed}@google/gemini-cli/bundle/gemini.js`]
const qwenCode = [newerNode(), `${installed}@qwen-code/qwen-code/cli.js`]

/**
 * @typedef {object} Host
 * @property {string} title
 * @property {string} dialect Name of the dialect in Toolbridge.
 * @property {string} package Name of the package, for its version.
 * @property {readonly string[]} files Where a written configuration is tried, relative to the folder of a run.
 * @property {(run: Run) => Start} start Sends a prompt to the model.
 * @property {((run: Run) => Start) | undefined} list Lists the servers. Undefined if the host does not connect to them for that.
 *
 * @typedef {{ project: string, port: number, required?: string }} Run `required`: the server to wait for. Default: none.
 * @typedef {{ command: readonly string[], env: Record<string, string> }} Start
 */

/** @type {Readonly<Record<string, Host>>} */
export const hosts = {
  'claude-code': {
    title: 'Claude Code',
    dialect: 'claude-code',
    package: '@anthropic-ai/claude-code',
    files: ['project/.mcp.json', 'home/.claude.json'],
    list: () => ({ command: [claudeCode, 'mcp', 'list'], env: {} }),
    start: ({ port }) => ({
      command: [claudeCode, '-p', 'hi'],
      env: {
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        ENABLE_TOOL_SEARCH: 'false',
        MCP_CONNECTION_NONBLOCKING: '0',
        MCP_CONNECT_TIMEOUT_MS: '60000',
        MCP_SERVER_CONNECTION_BATCH_SIZE: '50',
      },
    }),
  },
  codex: {
    title: 'Codex',
    dialect: 'codex',
    package: '@openai/codex',
    files: ['home/.codex/config.toml'],
    list: undefined,
    start: ({ port, project, required }) => ({
      command: [
        process.execPath,
        `${installed}@openai/codex/bin/codex.js`,
        'exec',
        '--skip-git-repo-check',
        ...[
          'model="stub"',
          'model_provider="stub"',
          `projects."${project}".trust_level="trusted"`,
          ...(required === undefined ? [] : waitForServer(required)),
        ].flatMap((setting) => ['-c', setting]),
        '-c',
        `model_providers.stub={name="stub",base_url="http://127.0.0.1:${port}/v1",wire_api="responses",request_max_retries=0,stream_max_retries=0}`,
        'hi',
      ],
      env: {},
    }),
  },
  opencode: {
    title: 'opencode',
    dialect: 'opencode',
    package: 'opencode-ai',
    files: ['project/opencode.json', 'home/.config/opencode/opencode.json'],
    list: () => ({ command: [opencode, 'mcp', 'list'], env: {} }),
    start: ({ port }) => ({
      command: [opencode, 'run', 'hi'],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          model: 'stub/stub',
          small_model: 'stub/stub',
          provider: {
            stub: {
              npm: '@ai-sdk/openai-compatible',
              options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'none' },
              models: { stub: { tool_call: true } },
            },
          },
        }),
      },
    }),
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    dialect: 'gemini-cli',
    package: '@google/gemini-cli',
    files: ['project/.gemini/settings.json', 'home/.gemini/settings.json'],
    list: () => ({ command: [...geminiCli, 'mcp', 'list'], env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } }),
    start: ({ port }) => ({
      command: [...geminiCli, '--approval-mode', 'yolo', '-p', 'hi'],
      env: {
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        GOOGLE_API_KEY: 'none',
        GOOGLE_GENAI_USE_VERTEXAI: 'true',
        GOOGLE_VERTEX_BASE_URL: `http://127.0.0.1:${port}`,
      },
    }),
  },
  'qwen-code': {
    title: 'Qwen Code',
    dialect: 'qwen-code',
    package: '@qwen-code/qwen-code',
    files: ['project/.qwen/settings.json', 'home/.qwen/settings.json'],
    list: () => ({ command: [...qwenCode, 'mcp', 'list'], env: {} }),
    start: ({ port }) => ({
      command: [...qwenCode, '--approval-mode', 'yolo', '-p', 'hi'],
      env: {
        OPENAI_API_KEY: 'none',
        OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
        OPENAI_MODEL: 'stub',
        // Otherwise it gives a remote server 5 s, which is not enough while all servers of a file start on a busy machine.
        QWEN_CODE_LEGACY_MCP_BLOCKING: '1',
      },
    }),
  },
}

/** Settings of Codex, which otherwise asks the model before a server has started, and gives up after 10 s. */
function waitForServer(name) {
  return [`mcp_servers.${name}.required=true`, `mcp_servers.${name}.startup_timeout_sec=100`]
}

/** Qwen Code needs Node 22. */
function newerNode() {
  const [major = '0'] = process.versions.node.split('.')
  return Number(major) >= 22 ? process.execPath : `${installed}node-${platform}/bin/node`
}

export function versionOf(host) {
  return JSON.parse(readFileSync(`${installed}${host.package}/package.json`, 'utf8')).version
}
