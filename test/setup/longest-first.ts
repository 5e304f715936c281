import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isQuick } from './quick.ts'

/** Starts the longest files first, so that all workers end at about the same time, also in a new checkout. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

/** Files that take more than five seconds of CPU time. */
const long =
  /\/(?:test\/(?:conformance|install|journey)|cli\/test\/(?:serve|auth|open)|gateway\/test\/(?:start|config)|lockbox\/test\/(?:folder-lock|settings)|console\/test\/(?:servers|inbox)|two-hundred-people|race|permission-properties|schema-lowering-properties)\.(?:process\.)?test\.tsx?$/

function rankOf({ moduleId }: TestSpecification): number {
  if (long.test(moduleId)) return 0
  return isQuick(moduleId) ? 2 : 1
}
