import {
  type KnownFile,
  watchErrors,
  watchFiles,
  watchOutput,
  watchPrograms,
} from '@toolbridge/testkit/secrets'

/** Private files that contain secrets by design. Secrets anywhere else are leaks. */
export const knownFiles: readonly KnownFile[] = [
  {
    path: /\/tokens\/[\w-]{43}\/(?:tokens\.\d+\.json|draft\.\w+)$/,
    reason:
      'the store of a person who signs in on their own machine, as other programs there keep their tokens',
  },
  {
    path: /\/(?:clients|flows)\/(?:[\w-]{43}\.json|draft\.\w+)$/,
    reason: 'what such a person’s program got when it registered, and sign-ins that are under way',
  },
]

// A worker evaluates this module once and then runs many test files, so the watchers are installed once.
watchFiles(knownFiles)
watchErrors()
watchOutput()
watchPrograms()
