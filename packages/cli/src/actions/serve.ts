import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PermissionRules } from '@toolbridge/bridge'
import type { Gateway, GatewayOptions } from '@toolbridge/gateway'
import { printable } from '@toolbridge/client/internal'
import type { Invocation, Options } from '../command.ts'
import { ExitCode } from '../exit-code.ts'
import { loadOperator, type Operator } from '../operator.ts'
import { colorsFor } from '../colors.ts'
import { exposureWarnings, expectedHost, publicAddress } from '../public-address.ts'
import { oidcFrom } from '../oidc-options.ts'
import { operationFrom } from '../operation-options.ts'
import { effectivePermissions } from '../permissions/effective-permissions.ts'
import { isWhole, numberOption } from '../number-option.ts'
import { sandboxFrom } from '../sandbox-options.ts'
import { toolsMode } from '../tools-mode.ts'
import { storeLocation } from '../store/store-options.ts'
import { isInteractive, print, printError, type Terminal } from '../terminal.ts'
import { untilAborted } from '../until-aborted.ts'
import { UsageError } from '../usage-error.ts'
import { whileWaiting } from '../while-waiting.ts'

const defaultPort = 4545

export async function serve(invocation: Invocation): Promise<ExitCode> {
  const { options, terminal } = invocation
  if (options['stdio'] === true) {
    const { serveStdio } = await import('./serve-stdio.ts')
    return serveStdio(invocation)
  }
  if (options['record'] !== undefined)
    throw new UsageError('--record needs --stdio: a gateway serves several people')
  const port = numberOption(options, 'port', 'a number from 0 to 65535', isWhole(0, 65_535))
  const tools = toolsMode(options)
  const address = publicAddress(options)
  const oidc = oidcFrom(options, terminal)
  const sandbox = sandboxFrom(options)
  const operation = operationFrom(options)
  const operator = await loadOperator(terminal, options)
  const { rules } = await effectivePermissions(terminal, options, operator.loaded?.files ?? [])
  const settings = await gatewayOptions(options, terminal, operator, rules)
  const gateway = await whileWaiting(
    terminal,
    'opening the gateway',
    start(
      {
        ...settings,
        ...address,
        ...operation.gateway,
        tools,
        ...(oidc && { oidc }),
        ...(sandbox && { sandbox }),
      },
      port,
    ),
  )
  try {
    using _watching = await operator.watch(terminal, options, {
      applyServers: (servers) => gateway.applyOperatorServers(servers),
      applyRules: (changed) => gateway.applyPermissions(changed),
    })
    for (const line of exposureWarnings(address, gateway.url))
      printError(terminal, `toolbridge: warning: ${line}`)
    announce(gateway, terminal)
    offerFreshAddresses(gateway, terminal)
    await untilAborted(terminal.signal)
    await gateway.drain(operation.drainMs)
  } finally {
    printError(terminal, 'stopping')
    await gateway.close()
  }
  return ExitCode.Ok
}

async function start(settings: GatewayOptions, port: number | undefined): Promise<Gateway> {
  // Imported after the command line has been checked.
  const { startGateway } = await import('@toolbridge/gateway')
  try {
    return await startGateway({
      ...settings,
      port: port ?? defaultPort,
      mayUseOtherPort: port === undefined,
    })
  } catch (error) {
    throw explained(error, port ?? defaultPort, settings.hostname)
  }
}

async function gatewayOptions(
  options: Options,
  terminal: Terminal,
  operator: Operator,
  permissions: PermissionRules,
): Promise<GatewayOptions> {
  const consoleFolder = builtConsole()
  return {
    ...storeLocation(options, terminal),
    operatorServers: await operator.definitions(terminal, operator.loaded?.servers ?? [], {
      mayPrompt: true,
    }),
    trust: operator.trust,
    hostFiles: { env: terminal.env, cwd: terminal.cwd },
    permissions,
    accounts: (await import('../accounts.ts')).accountStore(terminal),
    log: (line) => printError(terminal, printable(line)),
    signal: terminal.signal,
    ...(consoleFolder === undefined ? {} : { consoleFolder }),
  }
}

/** The folder of the console's page. Undefined in a checkout that was not built. */
function builtConsole(): string | undefined {
  const manifest = fileURLToPath(import.meta.resolve('@toolbridge/console/package.json'))
  const folder = join(dirname(manifest), 'dist')
  return existsSync(join(folder, 'index.html')) ? folder : undefined
}

function explained(error: unknown, port: number, host: string | undefined): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'EADDRINUSE')
    return new UsageError(`port ${port} is in use. Choose another with --port, or --port 0 for any free port`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new UsageError(`invalid --host "${host}": ${expectedHost}`)
  if (!('path' in error)) return error
  return new UsageError(
    `cannot use ${String(error.path)}: ${String(error.code)}. Choose another folder with --data`,
  )
}

function announce(gateway: Gateway, terminal: Terminal): void {
  const colors = colorsFor(terminal, terminal.stdout)
  print(terminal, `Toolbridge is running. Open ${colors.bold(gateway.signInUrl())}`)
  print(
    terminal,
    colors.dim(
      `  The address works once, for ten minutes.${isInteractive(terminal) ? ' Press Enter for a new one, Ctrl-C to stop.' : ''}`,
    ),
  )
  print(
    terminal,
    colors.dim(
      `  MCP hosts connect to ${gateway.publicUrl}/mcp with the bearer token in ${gateway.mcpTokenFile}`,
    ),
  )
}

function offerFreshAddresses(gateway: Gateway, terminal: Terminal): void {
  if (!isInteractive(terminal)) return
  terminal.stdin.on('data', () => print(terminal, `Open ${gateway.signInUrl()}`))
  // An earlier prompt has paused it.
  terminal.stdin.resume()
}
