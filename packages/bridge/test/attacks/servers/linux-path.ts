/** The folder that the attacked servers run in. */
export const folder = '/p'

/**
 * Resolves a path as Linux does: step by step, through the links of `/proc` and `/dev`, so that `..` leads to the parent of
 * what a link means. Other links do not exist here.
 */
export function resolved(path: string): string {
  let steps = path.startsWith('/') ? [] : segmentsOf(folder)
  for (const step of segmentsOf(path)) {
    if (step === '..') steps.pop()
    else steps.push(step)
    steps = followed(steps)
  }
  return `/${steps.join('/')}`
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((step) => step !== '' && step !== '.')
}

/** The longest link has these steps: `/proc/7/task/7/root`. */
const longest = 5

function followed(steps: string[]): string[] {
  if (steps.length > longest) return steps
  const path = steps.join('/')
  if (path === 'proc/self') return ['proc', '7']
  if (path === 'proc/thread-self') return ['proc', '7', 'task', '7']
  if (path === 'proc/net') return ['proc', '7', 'net']
  if (path === 'dev/fd') return ['proc', '7', 'fd']
  const [, link] = /^proc\/\d+(?:\/task\/\d+)?\/(root|cwd)$/.exec(path) ?? []
  if (link === undefined) return steps
  return link === 'root' ? [] : segmentsOf(folder)
}
