/** The stages of a diagnosis, in order. The first three are about files, the others about one server. */
export const stages = [
  'file',
  'permissions',
  'dialect',
  'variables',
  'trust',
  'binary',
  'spawn',
  'first-byte',
  'era',
  'authorization',
  'capabilities',
  'list',
  'schema',
  'names',
  'tokens',
  'latency',
  'exit',
] as const

/** A stage of a diagnosis. */
export type Stage = (typeof stages)[number]

/** The stages after one. */
export function stagesAfter(stage: Stage): readonly Stage[] {
  return stages.slice(stages.indexOf(stage) + 1)
}
