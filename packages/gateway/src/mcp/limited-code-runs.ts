import type { CodeOutcome, CodeRunner } from '@toolbridge/bridge/code'

/** A run has a thread and memory of its own, also while its calls wait for a person. */
const maxRunsPerPrincipal = 8

/** Runs code, for somebody who does not close the runner. */
export type CodeRuns = Pick<CodeRunner, 'run'>

/** Limits how many runs each principal has at once. A further one fails with a message that a model can act on. */
export function limitedCodeRuns(runner: CodeRuns): (principal: string) => CodeRuns {
  const running = new Map<string, number>()
  const add = (principal: string, runs: number): void => {
    const now = (running.get(principal) ?? 0) + runs
    if (now === 0) running.delete(principal)
    else running.set(principal, now)
  }
  return (principal) => ({
    async run(request) {
      if ((running.get(principal) ?? 0) >= maxRunsPerPrincipal) return tooMany
      add(principal, 1)
      try {
        return await runner.run(request)
      } finally {
        add(principal, -1)
      }
    },
  })
}

const tooMany: CodeOutcome = {
  logs: [],
  cancelledCalls: 0,
  failure: {
    kind: 'error',
    message: `${maxRunsPerPrincipal} runs of code are in progress; try again when one has ended`,
  },
}
