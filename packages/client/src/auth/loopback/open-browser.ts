import { nodeBuiltin } from '../../runtime/node-builtins.ts'

/**
 * Asks the system to open a web address, without a shell. Resolves with false if there certainly is no browser; true does
 * not guarantee that one appears.
 */
export async function openBrowser(url: URL): Promise<boolean> {
  const [command, ...args] = openerOf(url, process.platform)
  if (command === undefined) return false
  const { spawn } = nodeBuiltin('node:child_process')
  try {
    const child = spawn(command, args, { stdio: 'ignore', detached: true })
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

/** The program that opens a URL, with its arguments. Systems open any scheme, also by starting programs: only the web's pass. */
export function openerOf({ protocol, href }: URL, platform: NodeJS.Platform): readonly string[] {
  if (protocol !== 'https:' && protocol !== 'http:') return []
  if (platform === 'darwin') return ['open', href]
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', href]
  return hasScreen(process.env) ? ['xdg-open', href] : []
}

function hasScreen(env: NodeJS.ProcessEnv): boolean {
  return ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME', 'BROWSER'].some((name) => (env[name] ?? '') !== '')
}
