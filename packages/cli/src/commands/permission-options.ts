import type { OptionTable } from '../command.ts'

/** Options of commands that start servers: permission rules on the command line. */
export const permissionOptions: OptionTable = {
  allow: { type: 'string', multiple: true },
  ask: { type: 'string', multiple: true },
  deny: { type: 'string', multiple: true },
  mode: { type: 'string' },
  permissions: { type: 'string' },
}

/** Help for `permissionOptions` of a command whose calls are typed. */
export const permissionHelp: readonly string[] = permissionHelpWith('allow (default), ask')

/** Help for `permissionOptions`. `modes`: the modes that ask or allow, with the default first. */
export function permissionHelpWith(modes: string): readonly string[] {
  return [
    '  --allow <rule>              approve what the rule covers, such as mcp://files/read_*, wherever an approval is needed',
    '  --ask <rule>                require an approval; repeatable, like --allow and --deny',
    '  --deny <rule>               deny what the rule covers, also where something else allows it',
    `  --mode <mode>               calls without a rule: ${modes}, yolo (never ask) or plan (deny all)`,
    '  --permissions <file>        rules of this file instead of those beside the configuration (toolbridge permissions --help)',
  ]
}
