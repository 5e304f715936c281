import { address, transport } from '../fields/transport.ts'
import { milliseconds } from '../fields/values.ts'
import type { Dialect } from './dialect.ts'
import { geminiCli } from './gemini-cli.ts'

/** Qwen Code: a fork of Gemini CLI with its own folder and variables without defaults. */
export const qwenCode: Dialect = {
  ...geminiCli,
  name: 'qwen-code',
  title: 'Qwen Code',
  locations: [
    { scope: 'project', path: '.qwen/settings.json' },
    { scope: 'user', path: '~/.qwen/settings.json' },
    { scope: 'user', path: '~/.qwen/extensions/*/qwen-extension.json' },
    { scope: 'managed', platforms: ['darwin'], path: '/Library/Application Support/QwenCode/settings.json' },
    { scope: 'managed', platforms: ['linux'], path: '/etc/qwen-code/settings.json' },
    { scope: 'managed', platforms: ['win32'], path: 'C:/ProgramData/qwen-code/settings.json' },
  ],
  hostEnvironment: 'all',
  preset: { 'vars.unset': 'keep' },
  facts: {
    'vars.syntax': ['$NAME', '${NAME}', '${extensionPath}', '${workspacePath}', '${/}'],
    'vars.phase': 'load',
  },
  fields: {
    ...geminiCli.fields,
    type: { ...transport({ stdio: 'stdio', http: 'http', sse: 'sse' }), write: () => undefined },
    url: {
      ...address(),
      note: 'HTTP+SSE',
      write: (specFields, writer) =>
        specFields.transport === 'sse' ? address().write?.(specFields, writer) : undefined,
    },
    httpUrl: address('http'),
    discoveryTimeoutMs: milliseconds('startMs'),
  },
  addressMeans: 'sse',
  variables: { everything: 'qwen' },
}
