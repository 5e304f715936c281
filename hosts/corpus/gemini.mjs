import { json, program } from './entries.mjs'

/**
 * Gemini CLI and Qwen Code share a format. `folder` is `.gemini` or `.qwen`; `denied` are the settings that deny
 * `delete_file` of the server `denied`, if the host then no longer offers it.
 */
export function geminiLike(folder, denied) {
  return [
    {
      files: {
        'project/sub/keep': '',
        [`project/${folder}/settings.json`]: json({
          mcpServers: {
            plain: program('plain', ['a b', '--x=1'], { env: { PLAIN: 'value' } }),
            set: program('set', ['$SET_VAR', '${SET_VAR}'], { env: { GIVEN: 'x${SET_VAR}y' } }),
            unset: program('unset', ['$NOT_SET', '${NOT_SET}']),
            fallback: program('fallback', ['${NOT_SET:-fallback}', '${SET_VAR:-no}']),
            empty: program('empty', ['${EMPTY_VAR:-fallback}', 'x$EMPTY_VAR']),
            near: program('near', ['${env:SET_VAR}', '%SET_VAR%', '{env:SET_VAR}', 'costs $5', '${1}']),
            escaped: program('escaped', ['$$SET_VAR', '\\$SET_VAR']),
            nested: program('nested', ['${NOT_SET:-${SET_VAR}}']),
            off: program('off', [], { disabled: true }),
            listedOff: program('listedOff'),
            allow: program('allow', [], { includeTools: ['read_file'] }),
            allowNone: program('allowNone', [], { includeTools: [] }),
            denied: program('denied', [], { excludeTools: ['delete_file'] }),
            emptyDeny: program('emptyDeny', [], { excludeTools: [] }),
            overlap: program('overlap', [], {
              includeTools: ['read_file', 'delete_file'],
              excludeTools: ['delete_file'],
            }),
            pattern: program('pattern', [], { includeTools: ['read_*'] }),
            argumentPattern: program('argumentPattern', [], { includeTools: ['read_file(x)'] }),
            relative: program('relative', [], { cwd: './sub' }),
            timeout: program('timeout', [], { timeout: 20000 }),
            'odd name.v1': program('odd'),
            both: program('bothProject', ['project']),
            repeated: program('repeatedFirst', ['first']),
            'repeated@again': program('repeatedLast', ['last']),
            remote: { httpUrl: 'http://127.0.0.1:@PORT@/mcp/remote', headers: { 'X-Set': '$SET_VAR' } },
          },
          mcp: { excluded: ['listedOff'] },
        }),
        [`home/${folder}/settings.json`]: json({
          mcpServers: { both: program('bothUser', ['user']), userOnly: program('userOnly') },
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
        allow: 'allow list',
        allowNone: 'empty allow list',
        denied: 'deny list',
        emptyDeny: 'empty deny list',
        overlap: 'allow and deny list',
        pattern: 'pattern in a list',
        argumentPattern: 'tool name with parentheses in a list',
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
        [`project/${folder}/settings.json`]: json({
          mcpServers: { chosen: program('chosen'), other: program('other'), denied: program('rootDenied') },
          mcp: { allowed: ['chosen', 'denied'] },
          ...denied,
        }),
      },
      rows: {
        chosen: 'on in a list',
        other: 'not in the list of those that are on',
        ...(denied === undefined ? {} : { denied: 'deny list outside of the servers' }),
      },
      labels: { denied: 'rootDenied' },
    },
  ]
}
