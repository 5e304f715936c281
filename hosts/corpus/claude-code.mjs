import { json, program } from './entries.mjs'

const url = 'http://127.0.0.1:@PORT@/mcp'

/** @type {readonly import('./corpus.mjs').Run[]} */
export const claudeCode = [
  {
    files: {
      'project/.mcp.json': json({
        mcpServers: {
          plain: program('plain', ['a b', '--x=1'], { env: { PLAIN: 'value' } }),
          set: program('set', ['${SET_VAR}'], { env: { GIVEN: 'x${SET_VAR}y' } }),
          unset: program('unset', ['${NOT_SET}']),
          fallback: program('fallback', ['${NOT_SET:-fallback}', '${SET_VAR:-no}']),
          empty: program('empty', ['${EMPTY_VAR:-fallback}', 'x${EMPTY_VAR}']),
          near: program('near', ['$SET_VAR', '${env:SET_VAR}', '%SET_VAR%', '{env:SET_VAR}']),
          escaped: program('escaped', ['$${SET_VAR}', '\\${SET_VAR}']),
          nested: program('nested', ['${NOT_SET:-${SET_VAR}}']),
          off: program('off', [], { disabled: true }),
          listedOff: program('listedOff'),
          settingsOff: program('settingsOff'),
          denied: program('denied'),
          deniedWhole: program('deniedWhole'),
          'odd name.v1': program('odd'),
          remote: { type: 'http', url: `${url}/remote`, headers: { 'X-Set': '${SET_VAR}' } },
          typeless: { url: `${url}/typeless` },
          timeout: program('timeout', [], { timeout: 60 }),
          both: program('bothProject', ['project']),
          ofUser: program('ofUser'),
          repeated: program('repeatedFirst', ['first']),
          'repeated@again': program('repeatedLast', ['last']),
        },
      }),
      'home/.claude.json': json({
        mcpServers: { both: program('bothUser', ['user']), userOnly: program('userOnly') },
        projects: { '@PROJECT@': { disabledMcpServers: ['listedOff', 'userOff'] } },
      }),
      'project/.claude/settings.json': json({
        disabledMcpjsonServers: ['settingsOff'],
        permissions: { deny: ['mcp__denied__delete_file', 'mcp__deniedWhole'] },
      }),
    },
    rows: {
      plain: 'arguments and environment',
      set: 'variable that is set',
      unset: 'variable that is not set',
      fallback: 'variable with a default',
      empty: 'variable that is empty',
      near: 'variable syntax of another host',
      escaped: 'escaped variable',
      nested: 'variable in a default',
      off: 'off in the entry',
      listedOff: 'off in a list',
      settingsOff: 'off in another file',
      denied: 'deny list',
      deniedWhole: 'all tools denied',
      'odd name.v1': 'odd name',
      remote: 'remote server with a header',
      typeless: 'remote server without a type',
      timeout: 'timeout',
      both: 'defined twice, in two files',
      userOnly: "server of the user's file",
      repeated: 'defined twice, in one file',
    },
    labels: { 'odd name.v1': 'odd', both: 'bothProject', repeated: 'repeatedLast' },
  },
  {
    files: {
      'project/.mcp.json': json({ mcpServers: { chosen: program('chosen'), other: program('other') } }),
      'project/.claude/settings.json': json({ enabledMcpjsonServers: ['chosen'] }),
    },
    rows: { chosen: 'on in a list', other: 'not in the list of those that are on' },
  },
]
