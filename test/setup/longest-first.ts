import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Starts the longest files first, so that all workers end at about the same time, also in a new checkout. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** Files that take more than five seconds of CPU time. */
const long =
  /\/(?:test\/(?:conformance|install|journey)|cli\/test\/(?:serve|auth|open)|gateway\/test\/(?:start|config|sessions)|lockbox\/test\/(?:folder-lock|settings)|console\/test\/(?:servers|inbox)|two-hundred-people|race|permission-properties|schema-lowering-properties)\.(?:process\.)?test\.tsx?$/

function isLong({ moduleId }: TestSpecification): boolean {
  return long.test(moduleId)
}
