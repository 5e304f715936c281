import type { JsonObject } from '@toolbridge/client/internal'
import type { Authority, ServerSpec } from '../config/spec/server-spec.ts'
import { explainPermission } from '../permission/explain-permission.ts'
import { compileDecision } from '../permission/rules/decide.ts'
import { compileRules, type PermissionRules } from '../permission/rules/rules.ts'
import type { Subject } from '../permission/rules/subject.ts'
import { objectOf } from './exchanges.ts'
import type { RecordedRequest } from './recorded-requests.ts'

/** What decides about the requests of a cassette. */
export interface RepeatRules {
  readonly server: ServerSpec
  readonly authority: Authority
  readonly principal: string
  readonly permissions: PermissionRules
  readonly signal: AbortSignal
}

/**
 * Why a recorded request must not be sent: rules or the definition of the server deny it, or a person would have to approve
 * it. Undefined if it may be sent. `live`: the tools that the server lists, by name.
 */
export async function repeatRefusal(
  request: RecordedRequest,
  rules: RepeatRules,
  live: ReadonlyMap<string, JsonObject>,
): Promise<string | undefined> {
  const { verdict, reason } =
    request.method === 'tools/call'
      ? await aboutCall(request.params, rules, live)
      : aboutOther(subjectOf(request, rules.server.name), request.params, rules)
  if (verdict === 'allow') return undefined
  return `${verdict === 'deny' ? 'denied' : 'needs an approval'}: ${reason}`
}

interface Verdict {
  readonly verdict: string
  readonly reason: string
}

function aboutCall(
  params: JsonObject,
  { server, authority, principal, permissions, signal }: RepeatRules,
  live: ReadonlyMap<string, JsonObject>,
): Promise<Verdict> {
  const tool = String(params['name'])
  const annotations = objectOf(live.get(tool)?.['annotations'])
  const call = { server, tool, annotations, arguments: objectOf(params['arguments']), principal, authority }
  return explainPermission(permissions, call, { signal })
}

function aboutOther(subject: Subject, params: JsonObject, { permissions, principal }: RepeatRules): Verdict {
  return compileDecision(subject, compileRules(permissions))(objectOf(params['arguments']), principal)
}

function subjectOf({ method, params }: RecordedRequest, server: string): Subject {
  const { type, name, uri } = method === 'completion/complete' ? objectOf(params['ref']) : params
  return method === 'prompts/get' || type === 'ref/prompt'
    ? { namespace: 'prompt', server, item: String(name) }
    : { namespace: 'resource', server, item: String(uri) }
}
