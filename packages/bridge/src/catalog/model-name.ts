import { createHash } from 'node:crypto'
import type { BridgeTool } from './bridge-tool.ts'
import type { ProviderProfile } from './profiles/profile.ts'

type NameRules = Pick<ProviderProfile, 'toolName' | 'maxToolNameLength'>

/** Maximum number of characters that an alias keeps of a name. */
const KEPT_LENGTH = 50

/** Returns the name of a tool for a provider: the public name, or an alias with a hash if the provider rejects it. */
export function modelName({ name, plainNames, uri }: BridgeTool, rules: NameRules): string {
  if (isAccepted(name, rules)) return name
  const suffix = `_${createHash('sha256').update(uri).digest('hex').slice(0, 8)}`
  const plain = (plainNames.at(-1) ?? '').slice(0, KEPT_LENGTH)
  const alias = (start: string): string => start.slice(0, rules.maxToolNameLength - suffix.length) + suffix
  return isAccepted(alias(plain), rules) ? alias(plain) : alias(`t_${plain}`)
}

function isAccepted(name: string, { toolName, maxToolNameLength }: NameRules): boolean {
  return name.length <= maxToolNameLength && toolName.test(name)
}
