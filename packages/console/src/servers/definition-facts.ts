import type { DefinitionReport } from '@toolbridge/api'
import { durationText } from '../ui/time.tsx'

/** Summarizes a definition: why it does not start, what runs, its tools and its timeouts. */
export function definitionFacts({ reasons, definition }: DefinitionReport): readonly string[] {
  const why = reasons.map(({ message }) => message)
  if (definition === undefined) return why
  const { variables, tools, timeouts } = definition
  const missing = variables.missing.length === 0 ? [] : [`not set: ${variables.missing.join(', ')}`]
  const start = `${durationText(timeouts.startMs)} to start, ${durationText(timeouts.callMs)} per call`
  return [...why, ...targetOf(definition), ...missing, ...toolsOf(tools), start]
}

type Definition = NonNullable<DefinitionReport['definition']>

function targetOf({ program, url }: Definition): readonly string[] {
  if (program === undefined) return url === undefined ? [] : [url]
  const { command, argumentCount } = program
  const count = argumentCount === 1 ? '1 argument' : `${argumentCount} arguments`
  return [argumentCount === 0 ? command : `${command} with ${count}`]
}

function toolsOf({ allow, deny = [], readOnly }: Definition['tools']): readonly string[] {
  return [
    ...(allow === undefined ? [] : [`only ${allow.join(', ') || 'no tools'}`]),
    ...(deny.length === 0 ? [] : [`without ${deny.join(', ')}`]),
    ...(readOnly ? ['read-only tools'] : []),
  ]
}
