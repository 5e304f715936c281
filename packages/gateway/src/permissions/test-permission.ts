import type {
  OwnRules,
  PermissionTestStep,
  TestPermissionRequest,
  TestPermissionResponse,
} from '@toolbridge/api'
import { type PermissionRules, UnknownToolError } from '@toolbridge/bridge'
import { explainPermission, type PermissionStep } from '@toolbridge/bridge/permissions'
import { consoleOrigin, type OwnerBridge } from '../owners/owner-bridge.ts'
import { isEmpty } from './effective-rules.ts'

/** The rules that a call is tested with. */
export interface TestedRules {
  readonly effective: PermissionRules
  readonly gateway: PermissionRules
  readonly own: OwnRules
}

/** Explains what rules say about a call of a person. Throws an `UnknownToolError` if there is no such tool. */
export async function testPermission(
  owner: OwnerBridge,
  principal: string,
  { tool: name, arguments: args, rules: proposed }: TestPermissionRequest,
  tested: TestedRules,
): Promise<TestPermissionResponse> {
  const tool = owner.bridge.tool(name)
  const owned = tool && owner.definitionOf(tool.server)
  if (tool === undefined || owned === undefined) throw new UnknownToolError(name)
  const { verdict, reason, controlFile, steps } = await explainPermission(tested.effective, {
    server: owned.spec,
    tool: tool.rawName,
    name: tool.name,
    annotations: tool.definition.annotations ?? {},
    ...(args === undefined ? {} : { arguments: args }),
    principal,
    authority: owned.authority,
  })
  const origin = consoleOrigin(principal)
  const kept = await owner.bridge.permissionFor(tool.name, args ?? {}, { origin })
  return {
    tool: { name: tool.name, server: tool.server, rawName: tool.rawName },
    verdict,
    reason,
    ...(controlFile === undefined ? {} : { controlFile }),
    isGranted: proposed === undefined && verdict === 'ask' && kept?.reason === 'granted',
    steps: steps.filter(({ because }) => because !== 'principal').map((step) => stepOf(step, tested)),
  }
}

/** Rules about other principals are left out, because they name them. */
function stepOf(step: PermissionStep, tested: TestedRules): PermissionTestStep {
  const { kind, text, match, because, decides } = step
  const source = sourceOf(step, tested)
  return { source, kind, text, match, ...(because === undefined ? {} : { because }), decides }
}

/** The first set has the rules of the person, after those of the gateway that allow. */
function sourceOf(
  { set, kind, index = 0 }: PermissionStep,
  { gateway, own }: TestedRules,
): PermissionTestStep['source'] {
  if (kind === 'definition') return 'definition'
  if (set > 0 || kind === 'approve' || isEmpty(own)) return 'gateway'
  if (kind === 'mode') return own.mode === undefined ? 'gateway' : 'own'
  return kind === 'allow' && index < (gateway.allow?.length ?? 0) ? 'gateway' : 'own'
}
