import { json, local } from './entries.mjs'

/** @type {readonly import('./corpus.mjs').Run[]} */
export const opencode = [
  {
    files: {
      'project/secret.txt': 'from-file\n',
      'project/sub/keep': '',
      'project/opencode.json': json({
        mcp: {
          plain: local('plain', ['a b', '--x=1'], { environment: { PLAIN: 'value' } }),
          set: local('set', ['{env:SET_VAR}'], { environment: { GIVEN: 'x{env:SET_VAR}y' } }),
          unset: local('unset', ['x{env:NOT_SET}y']),
          empty: local('empty', ['x{env:EMPTY_VAR}y']),
          near: local('near', ['$SET_VAR', '${SET_VAR}', '${env:SET_VAR}', '{ env:SET_VAR }']),
          file: local('file', ['{file:./secret.txt}']),
          off: local('off', [], { enabled: false }),
          denied: local('denied'),
          deniedGlob: local('deniedGlob'),
          allow: local('allow'),
          permission: local('permission'),
          relative: local('relative', [], { cwd: './sub' }),
          timeout: local('timeout', [], { timeout: 20000 }),
          'odd name.v1': local('odd'),
          both: local('bothProject', ['project']),
          repeated: local('repeatedFirst', ['first']),
          'repeated@again': local('repeatedLast', ['last']),
          remote: {
            type: 'remote',
            url: 'http://127.0.0.1:@PORT@/mcp/remote',
            headers: { 'X-Set': '{env:SET_VAR}' },
          },
        },
        tools: {
          denied_delete_file: false,
          'deniedGlob_*_file': false,
          'allow*': false,
          allow_read_file: true,
        },
        permission: { permission_delete_file: 'deny', 'permission_write*': 'allow' },
      }),
      'home/.config/opencode/opencode.json': json({
        mcp: { both: local('bothUser', ['user']), userOnly: local('userOnly') },
      }),
    },
    rows: {
      plain: 'arguments and environment',
      set: 'variable that is set',
      unset: 'variable that is not set',
      empty: 'variable that is empty',
      near: 'variable syntax of another host',
      file: 'secret from a file, relative',
      off: 'off in the entry',
      denied: 'deny list',
      deniedGlob: 'pattern in a list',
      allow: 'allow list',
      permission: 'tool denied by a permission',
      relative: 'relative working directory',
      timeout: 'timeout',
      'odd name.v1': 'odd name',
      both: 'defined twice, in two files',
      repeated: 'defined twice, in one file',
      userOnly: "server of the user's file",
      remote: 'remote server with a header',
    },
    labels: { 'odd name.v1': 'odd', both: 'bothProject', repeated: 'repeatedLast' },
  },
  {
    files: {
      'project/opencode.json': json({
        mcp: { agentTools: local('agentTools'), both: { enabled: false } },
        agent: { build: { tools: { agentTools_delete_file: false } } },
      }),
      'home/.config/opencode/opencode.json': json({ mcp: { both: local('both') } }),
    },
    rows: { agentTools: 'deny list of an agent', both: 'off in another file' },
  },
]
