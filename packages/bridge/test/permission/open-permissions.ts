import type { Answer, Answerer, Origin, PermissionRules, ServerSpec } from '@toolbridge/bridge'
import type { ApprovalQuestion } from '@toolbridge/bridge/questions'
import { memoryGrantStore, memoryPinStore } from '@toolbridge/bridge/permissions'
import type { Tool } from '@toolbridge/client'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { Authority } from '../../src/config/spec/server-spec.ts'
import { createEmit } from '../../src/journal/events/emit.ts'
import { Permissions, type PermissionsOptions } from '../../src/permission/permissions.ts'
import { compileRules } from '../../src/permission/rules/rules.ts'
import type { ToolPermission } from '../../src/permission/tool-permission.ts'
import { systemClock } from '../../src/async/clock.ts'
import { nodeServer } from '../servers/specs.ts'

export const alice: Origin = { principal: 'alice', conversation: 'one' }

/** Somebody who is asked, and says what the test says. */
export interface ScriptedPerson extends Answerer {
  readonly asked: ApprovalQuestion[]
}

export function person(answer: (question: ApprovalQuestion) => Answer | Promise<Answer>): ScriptedPerson {
  const asked: ApprovalQuestion[] = []
  return {
    asked,
    ask: async (question) => {
      if (question.kind !== 'approval') throw new TypeError('only approvals are asked here')
      asked.push(question)
      return answer(question)
    },
  }
}

export interface PermissionsSetup extends Partial<PermissionsOptions> {
  readonly rules?: PermissionRules
}

export function openPermissions({ rules = {}, ...options }: PermissionsSetup = {}): Permissions {
  return new Permissions(compileRules(rules), {
    grants: memoryGrantStore(),
    pins: memoryPinStore(),
    definitions: () => [],
    emit: createEmit(undefined),
    clock: systemClock,
    answerTimeoutMs: 60_000,
    ...options,
  })
}

export interface CallSetup {
  readonly definition?: Partial<Tool>
  readonly spec?: ServerSpec
  readonly authority?: Authority
  readonly origin?: Origin
  readonly approver?: Answerer | undefined
  readonly signal?: AbortSignal
  readonly isApproved?: boolean
}

/** The permission check of the tool `write` of the server `files`. */
export function permissionOfTool(
  permissions: Permissions,
  { spec = nodeServer('files', 'x.mjs'), authority = { kind: 'session' }, definition }: CallSetup = {},
): ToolPermission {
  const catalog = new Catalog(createEmit(undefined))
  catalog.show([
    { name: spec.name, tools: [{ name: 'write', inputSchema: { type: 'object' }, ...definition }] },
  ])
  const [tool] = catalog.tools
  if (tool === undefined) throw new Error('there is no tool')
  return permissions.permissionOf(tool, { spec, authority })
}

/** Requests a call of the tool `write` of the server `files`. Resolves with the reason to allow it. */
export async function requestCall(
  permissions: Permissions,
  args: Readonly<Record<string, unknown>> = {},
  setup: CallSetup = {},
): Promise<string> {
  const permission = permissionOfTool(permissions, setup)
  const { origin = alice, approver, isApproved = false } = setup
  const decision = permission.decide(args, origin.principal)
  const isSettled = permission.isSettled(args, origin.principal)
  if (decision.verdict === 'allow' && isSettled) return decision.reason
  const { signal = new AbortController().signal } = setup
  return permissions.permit(permission, { args, origin, approver, signal, isApproved }, decision)
}
