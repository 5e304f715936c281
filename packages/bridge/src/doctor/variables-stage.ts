import type { InputSource } from '../config/spec/input-spec.ts'
import type { Issue } from '../config/spec/issue.ts'
import { resolveSpec } from '../config/resolve/resolve-spec.ts'
import type { ResolvedSpec, ServerSpec } from '../config/spec/server-spec.ts'
import { ConfigError } from '../errors.ts'
import { findingOf } from './configuration-stages.ts'
import type { DiagnosisContext } from './context.ts'
import { fine } from './findings.ts'
import type { Finding } from './result.ts'

/** The definition with variables replaced, unless that fails. */
export interface ResolvedVariables {
  readonly spec: ResolvedSpec | undefined
  readonly findings: readonly Finding[]
}

/** Replaces the variables of a trusted definition. Without active stages, no helper runs and nobody is asked. */
export async function resolveVariables(
  spec: ServerSpec,
  { authority, inputs, isActive = true, signal }: DiagnosisContext,
): Promise<ResolvedVariables> {
  const source = isActive ? inputs : placeholders
  const options = {
    isTrusted: true,
    ...(source === undefined ? {} : { inputs: source }),
    ...(signal === undefined ? {} : { signal }),
  }
  try {
    const resolution = await resolveSpec(isActive ? spec : withoutHelper(spec), authority, options)
    const findings = resolution.issues.map(findingOf)
    return {
      spec: resolution.spec,
      findings: findings.length === 0 ? [fine('every variable has a value')] : findings,
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { spec: undefined, findings: error.issues.filter(isOwn).map(findingOf) }
  }
}

/** The same issue can occur for several values. */
function isOwn(issue: Issue, index: number, issues: readonly Issue[]): boolean {
  return issues.findIndex(({ message }) => message === issue.message) === index
}

/** Nobody is asked in a passive diagnosis. */
const placeholders: InputSource = {
  answer: async ({ kind, default: usual }) => usual ?? (kind === 'input' ? 'input' : undefined),
}

function withoutHelper(spec: ServerSpec): ServerSpec {
  if (spec.transport === 'stdio') return spec
  const { headersHelper: _helper, ...rest } = spec
  return rest
}
