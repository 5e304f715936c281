import { nodeBuiltin } from '../../runtime/node-builtins.ts'

/**
 * Asks the system to show an address, without a shell. Whether a browser appears cannot be known: false means that
 * there certainly is none to ask.
 */
export async function openBrowser(url: URL): Promise<boolean> {
  const [command, ...args] = openerFor(process.platform)
  if (command === undefined) return false
  const { spawn } = nodeBuiltin('node:child_process')
  try {
    const child = spawn(command, [...args, url.href], { stdio: 'ignore', detached: true })
    child.unref()
    return await new Promise((resolve) => {
      child.once('spawn', () => resolve(true))
      child.once('error', () => resolve(false))
    })
  } catch {
    // The scopes that a server names can make the address longer than systems pass on.
    return false
  }
}

function openerFor(platform: NodeJS.Platform): readonly string[] {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return hasScreen(process.env) ? ['xdg-open'] : []
}

function hasScreen(env: NodeJS.ProcessEnv): boolean {
  return ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME', 'BROWSER'].some((name) => (env[name] ?? '') !== '')
}
