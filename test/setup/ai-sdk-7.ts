import { fileURLToPath } from 'node:url'
import { installOnce } from '../../scripts/install-once.mjs'

/** Installs AI SDK 7, which demands Node 22 and therefore is not among the workspaces. Without it, only its tests fail. */
export default function install(): void {
  try {
    installOnce(fileURLToPath(new URL('../../packages/bridge/test/ai-sdk-7/', import.meta.url)), 'AI SDK 7')
  } catch (error) {
    process.stderr.write(`${String(error)}; its tests will fail\n`)
  }
}
