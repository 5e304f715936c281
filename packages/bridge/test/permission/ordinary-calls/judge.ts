import type { Permissions } from '../../../src/permission/permissions.ts'
import type { ToolPermission } from '../../../src/permission/tool-permission.ts'
import type { Verdict } from '../cases.ts'
import { nodeServer } from '../../servers/specs.ts'
import { alice, openPermissions, permissionOfTool } from '../open-permissions.ts'
import type { OrdinaryCall } from './corpus.ts'
import { ruleSets, type RuleSet } from './rule-sets.ts'

const letters: Readonly<Record<Verdict, string>> = { allow: 'a', ask: 'q', deny: 'd' }

type Judge = (call: OrdinaryCall) => Promise<string>

/**
 * Judges calls by every rule set: a letter for each, `a` if it is allowed, `q` if a person is asked, `d` if it is denied; a
 * capital if the arguments name a control file.
 */
export function judgeOfAll(): Judge {
  const judges = ruleSets.map(judgeOf)
  return async (call) => (await Promise.all(judges.map((judge) => judge(call)))).join('')
}

function judgeOf({ rules, isLocal, hasControlFiles = false }: RuleSet): Judge {
  const permissions = openPermissions({ rules })
  const tools = new Map<string, ToolPermission>()
  const { signal } = new AbortController()
  return async ({ subject, args }) => {
    if (subject.startsWith('resource:')) return letters[resourceVerdict(permissions, subject)]
    const tool = tools.get(subject) ?? toolPermission(permissions, subject, isLocal)
    tools.set(subject, tool)
    const letter = letters[tool.decide(args, alice.principal).verdict]
    const controlFile = hasControlFiles ? await tool.controlFileIn(args, signal) : undefined
    return controlFile === undefined ? letter : letter.toUpperCase()
  }
}

function resourceVerdict(permissions: Permissions, subject: string): Verdict {
  const [, server = '', item = ''] = /^resource:\/\/([^/]+)\/(.+)$/.exec(subject) ?? []
  return permissions.decideAbout({ namespace: 'resource', server, item }, alice).verdict
}

function toolPermission(permissions: Permissions, subject: string, isLocal: boolean): ToolPermission {
  const [server = '', name = ''] = subject.split(' ')
  const here = { kind: 'local', env: { HOME: '/home/ada' }, workspaceFolder: '/home/ada/project' } as const
  return permissionOfTool(permissions, {
    spec: nodeServer(server, 'x.mjs'),
    authority: isLocal ? here : { kind: 'session' },
    definition: { name },
  })
}
