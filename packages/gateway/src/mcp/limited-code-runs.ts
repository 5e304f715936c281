import type { CodeOutcome, CodeRunner } from '@toolbridge/bridge/code'
import { Counts } from '../lifecycle/counts.ts'

/** A run has a thread and memory of its own, also while its calls wait for a person. */
const maxRunsPerPrincipal = 8

/** Runs code, for somebody who does not close the runner. */
export type CodeRuns = Pick<CodeRunner, 'run'>

/** Limits how many runs each principal has at once. A further one fails with a message that a model can act on. */
export function limitedCodeRuns(runner: CodeRuns): (principal: string) => CodeRuns {
  const running = new Counts()
  return (principal) => ({
    async run(request) {
      if (running.get(principal) >= maxRunsPerPrincipal) return tooMany
      running.add(principal, 1)
      try {
        return await runner.run(request)
      } finally {
        running.add(principal, -1)
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
