import { expect } from 'vitest'
import { ControlFiles, type Machine } from '../../src/permission/control-files/control-files.ts'

const { signal } = new AbortController()

/** Two globs of files are added by default. */
export function controlFiles(more: readonly string[] = ['/srv/policy/*.rego', '/srv/data/*']): ControlFiles {
  return new ControlFiles(more, () => ['/opt/app/servers.conf'])
}

/** The text that names a control file. Checks that the quick test does not miss it. */
export async function namedBy(
  args: unknown,
  { machine, files = controlFiles() }: { readonly machine?: Machine; readonly files?: ControlFiles } = {},
): Promise<string | undefined> {
  const found = await files.namedBy(args, machine, signal)
  if (found !== undefined) expect(files.mayBeNamed(args, machine)).toBe(true)
  return found
}
