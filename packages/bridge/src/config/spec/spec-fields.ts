import type { InputSpec } from './input-spec.ts'
import type { Policy } from './policy.ts'
import type { AuthSpec, HeadersHelper, ServerSpec, ToolApproval } from './server-spec.ts'

/** The canonical fields of a definition as a flat object. Fields of a dialect are read into these and written from them. */
export interface SpecFields {
  transport?: ServerSpec['transport']
  enabled?: boolean
  required?: boolean
  readOnly?: boolean
  start?: 'eager' | 'lazy' | 'on-demand'
  replace?: 'start-first' | 'stop-first'
  startMs?: number
  callMs?: number
  maxConcurrency?: number
  allow?: readonly string[]
  deny?: readonly string[]
  approvalDefault?: ToolApproval
  approvalTools?: Readonly<Record<string, ToolApproval>>
  command?: string
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  cwd?: string
  envFile?: string
  inheritEnv?: 'safe' | 'all' | 'none'
  inheritNames?: readonly string[]
  unsetEnv?: readonly string[]
  url?: string
  headers?: Readonly<Record<string, string>>
  headersHelper?: HeadersHelper
  auth?: AuthSpec
  inputs?: readonly InputSpec[]
  policy?: Partial<Policy>
}

export type SpecFieldName = keyof SpecFields

/** Path of each field in a spec, as shown in messages. */
export const specFieldPaths: Readonly<Record<SpecFieldName, string>> = {
  transport: 'transport',
  enabled: 'enabled',
  required: 'required',
  readOnly: 'readOnly',
  start: 'start',
  replace: 'replace',
  startMs: 'timeouts.startMs',
  callMs: 'timeouts.callMs',
  maxConcurrency: 'maxConcurrency',
  allow: 'tools.allow',
  deny: 'tools.deny',
  approvalDefault: 'approval.default',
  approvalTools: 'approval.tools',
  command: 'command',
  args: 'args',
  env: 'env',
  cwd: 'cwd',
  envFile: 'envFile',
  inheritEnv: 'inheritEnv',
  inheritNames: 'inheritNames',
  unsetEnv: 'unsetEnv',
  url: 'url',
  headers: 'headers',
  headersHelper: 'headersHelper',
  auth: 'auth',
  inputs: 'inputs',
  policy: 'policy',
}

export const stdioSpecFields: readonly SpecFieldName[] = [
  'command',
  'args',
  'env',
  'cwd',
  'envFile',
  'inheritEnv',
  'inheritNames',
  'unsetEnv',
]

export const remoteSpecFields: readonly SpecFieldName[] = ['url', 'headers', 'headersHelper', 'auth']

/** Returns the fields of a definition without defaults: an enabled server, no arguments, no headers. */
export function specFieldsOf(spec: ServerSpec): SpecFields {
  const { transport, enabled, required, readOnly, start, replace, timeouts, tools, approval } = spec
  const { inputs, policy, maxConcurrency } = spec
  const commons = {
    transport,
    ...(enabled ? {} : { enabled }),
    ...(required ? { required } : {}),
    ...given({
      readOnly,
      start,
      replace,
      startMs: timeouts?.startMs,
      callMs: timeouts?.callMs,
      inputs,
      policy,
    }),
    ...given({ maxConcurrency, allow: tools?.allow, deny: tools?.deny }),
    ...given({ approvalDefault: approval?.default, approvalTools: approval?.tools }),
  }
  if (spec.transport !== 'stdio') {
    const { url, headers, headersHelper, auth } = spec
    return { ...commons, url, ...(isEmpty(headers) ? {} : { headers }), ...given({ headersHelper, auth }) }
  }
  const { command, args, env, cwd, envFile, inheritEnv, inheritNames, unsetEnv } = spec
  return {
    ...commons,
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(isEmpty(env) ? {} : { env }),
    ...given({ cwd, envFile, inheritEnv, inheritNames, unsetEnv }),
  }
}

type SpecFrame = Pick<ServerSpec, 'name' | 'source' | 'dialect' | 'preset'>

/** Builds a definition from its fields. */
export function specFromFields(
  specFields: SpecFields,
  transport: ServerSpec['transport'],
  frame: SpecFrame,
): ServerSpec {
  const { readOnly, start, replace, startMs, callMs, allow, deny, approvalDefault, approvalTools } =
    specFields
  const { inputs, policy, maxConcurrency } = specFields
  const timeouts = given({ startMs, callMs })
  const tools = given({ allow, deny })
  const approval = given({ default: approvalDefault, tools: approvalTools })
  const commons = {
    ...frame,
    enabled: specFields.enabled ?? true,
    required: specFields.required ?? false,
    ...given({ readOnly, start, replace, inputs, policy, maxConcurrency }),
    ...(isEmpty(timeouts) ? {} : { timeouts }),
    ...(isEmpty(tools) ? {} : { tools }),
    ...(isEmpty(approval) ? {} : { approval }),
  }
  if (transport !== 'stdio') {
    const { url = '', headers = {}, headersHelper, auth } = specFields
    return { ...commons, transport, url, headers, ...given({ headersHelper, auth }) }
  }
  const { command = '', args = [], env = {}, cwd, envFile, inheritEnv, inheritNames, unsetEnv } = specFields
  return {
    ...commons,
    transport,
    command,
    args,
    env,
    ...given({ cwd, envFile, inheritEnv, inheritNames, unsetEnv }),
  }
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>
}

function isEmpty(map: object): boolean {
  return Object.keys(map).length === 0
}
