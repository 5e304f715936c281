import { table } from './entries.mjs'

/** @type {readonly import('./corpus.mjs').Run[]} */
export const codex = [
  {
    files: {
      'home/.codex/config.toml': [
        table('plain', 'plain', ['env = { PLAIN = "value" }'], ['a b', '--x=1']),
        table('near', 'near', [], ['$SET_VAR', '${SET_VAR}', '${env:SET_VAR}']),
        table('handed', 'handed', ['env_vars = ["SHELL_ONLY", { name = "SET_VAR", source = "local" }]']),
        table('absent', 'absent', ['env_vars = ["NOT_SET"]']),
        table('off', 'off', ['enabled = false']),
        table('allow', 'allow', ['enabled_tools = ["read_file"]']),
        table('allowNone', 'allowNone', ['enabled_tools = []']),
        table('denied', 'denied', ['disabled_tools = ["delete_file"]']),
        table('emptyDeny', 'emptyDeny', ['disabled_tools = []']),
        table('overlap', 'overlap', [
          'enabled_tools = ["read_file", "delete_file"]',
          'disabled_tools = ["delete_file"]',
        ]),
        table('pattern', 'pattern', ['enabled_tools = ["read_*"]']),
        table('folder', 'folder', ['cwd = "@HOME@"']),
        table('timeout', 'timeout', ['startup_timeout_sec = 20', 'tool_timeout_sec = 2.5']),
        table('"odd name"', 'odd'),
        table('odd-name_2', 'odd2'),
        table('both', 'bothUser', [], ['user']),
        '[mcp_servers.remote]',
        'url = "http://127.0.0.1:@PORT@/mcp/remote"',
        'http_headers = { X-Plain = "1" }',
        'env_http_headers = { X-Set = "SET_VAR" }',
        'bearer_token_env_var = "SET_VAR"',
        '[projects."@PROJECT@"]',
        'trust_level = "trusted"',
      ].join('\n'),
      'project/.codex/config.toml': table('both', 'bothProject', [], ['project']),
    },
    rows: {
      plain: 'arguments and environment',
      near: 'variable syntax of another host',
      handed: 'variable that is set',
      absent: 'variable that is not set',
      off: 'off in the entry',
      allow: 'allow list',
      allowNone: 'empty allow list',
      denied: 'deny list',
      emptyDeny: 'empty deny list',
      overlap: 'allow and deny list',
      pattern: 'pattern in a list',
      folder: 'working directory',
      timeout: 'timeout',
      'odd name': 'odd name',
      'odd-name_2': 'name with a hyphen',
      both: 'defined twice, in two files',
      remote: 'remote server with a header',
    },
    labels: { 'odd name': 'odd', 'odd-name_2': 'odd2', both: 'bothProject' },
  },
  {
    files: {
      'home/.codex/config.toml': [
        table('remoteVariable', 'remoteVariable', [
          'enabled = false',
          'env_vars = [{ name = "SET_VAR", source = "remote" }]',
        ]),
        table('kept', 'kept', ['default_tools_approval_mode = "prompt"']),
        table('relative', 'relative', ['cwd = "."']),
      ].join('\n'),
    },
    rows: {
      remoteVariable: 'off, with a field that only the host supports',
      kept: 'approval',
      relative: 'relative working directory',
    },
  },
  {
    // Codex reads nothing of an invalid file.
    files: {
      'home/.codex/config.toml': [
        table('repeated', 'repeatedFirst', [], ['first']),
        table('repeated', 'repeatedLast', [], ['last']),
      ].join('\n'),
    },
    rows: { repeated: 'defined twice, in one file' },
    labels: { repeated: 'repeatedLast' },
  },
]
