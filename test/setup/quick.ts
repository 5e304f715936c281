/**
 * Tests that start child processes, a browser or a database, or that read built files. All others are quick:
 * `npm run test:quick` runs them without a build, and one that starts a program fails.
 */
export const slowTests: readonly string[] = [
  'packages/{cli,console,gateway,lockbox,testkit}/test/**',
  '**/*.process.test.{ts,tsx}',
]

const slow = /\/packages\/(?:cli|console|gateway|lockbox|testkit)\/test\/|\.process\.test\.tsx?$/

export function isQuick(testPath: string): boolean {
  return !slow.test(testPath)
}
