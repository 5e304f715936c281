import { nodeBuiltin } from '../../runtime/node-builtins.ts'

/**
 * Asks the system to open a URL, without a shell. Resolves with false if there certainly is no browser; true does not
 * guarantee that one appears.
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
    // Scopes named by a server can make the URL longer than the system allows for an argument.
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
