/** Rows for optional dependencies that the lock file names but does not hold, as `[path, row]`. */
export function missingPlatformPackages(lock: {
  readonly packages: Readonly<Record<string, object>>
}): readonly (readonly [string, object])[]
