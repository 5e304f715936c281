import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Bridge,
  type BridgeEvent,
  openBridge,
  type PermissionRules,
  type ServerSpec,
} from '@toolbridge/bridge'
import { fileGrantStore, filePinStore } from '@toolbridge/bridge/permissions'
import { printable } from '@toolbridge/client/internal'
import type { Invocation, Options } from '../command.ts'
import { noConfiguration } from '../configuration.ts'
import { dataFolder } from '../data-folder.ts'
import { ExitCode } from '../exit-code.ts'
import { messageHandler, messagesFrom } from '../messages.ts'
import { loadOperator, type Operator } from '../operator.ts'
import { oidcOptions } from '../oidc-options.ts'
import { operationOptions } from '../operation-options.ts'
import { effectivePermissions } from '../permissions/effective-permissions.ts'
import { sandboxOptions } from '../sandbox-options.ts'
import { printError, type Terminal } from '../terminal.ts'
import { localPrincipal, terminalAuthority } from '../terminal-bridge.ts'
import { toolsMode } from '../tools-mode.ts'
import { untilAborted } from '../until-aborted.ts'
import { UsageError } from '../usage-error.ts'

/** Set for the servers, which must not include this command again. */
const nestingVariable = 'TOOLBRIDGE_STDIO'

/** Hosts give up on a list of tools after 30 seconds or more; then they get the servers that are ready. */
const maxWaitMs = 20_000

const origin = { principal: localPrincipal, conversation: 'stdio' }

/** Serves the configured servers to the MCP host that started this process, until it closes the input. */
export async function serveStdio({ options, terminal }: Invocation): Promise<ExitCode> {
  refuseGatewayOptions(options)
  refuseNesting(terminal)
  const tools = toolsMode(options)
  const operator = await loadOperator(terminal, options, marked)
  if (operator.loaded === undefined) throw await noConfiguration(terminal, options)
  const { rules } = await effectivePermissions(terminal, options, operator.loaded.files)
  let onToolsChanged = (): void => {}
  const ending = new AbortController()
  const bridge = await openEmptyBridge({ options, terminal }, operator, rules, () => onToolsChanged())
  try {
    const definitions = await operator.definitions(terminal, operator.loaded.servers, { mayPrompt: false })
    // Imported after the command line has been checked.
    const { serveOnStdio } = await import('@toolbridge/gateway/stdio')
    const host = serveOnStdio({
      bridge: started(bridge, definitions, terminal, ending.signal),
      origin,
      tools,
      stdin: terminal.stdin,
      stdout: terminal.stdout,
      log: (line) => printError(terminal, `toolbridge: ${printable(line)}`),
    })
    onToolsChanged = () => host.toolsChanged()
    using _watching = await operator.watch(terminal, options, {
      applyServers: (servers) => bridge.apply(servers),
      applyRules: async (changed) => bridge.setPermissions(changed),
    })
    await Promise.race([host.ended, untilAborted(terminal.signal)])
    await host.close()
  } finally {
    ending.abort()
    await bridge.close()
  }
  return ExitCode.Ok
}

function refuseGatewayOptions(options: Options): void {
  const ofGateway = [
    'port',
    'host',
    'public-url',
    'database',
    ...Object.keys({ ...oidcOptions, ...sandboxOptions, ...operationOptions }),
  ]
  const refused = ofGateway.find((name) => options[name] !== undefined)
  if (refused !== undefined)
    throw new UsageError(
      `--${refused} is about the gateway, which --stdio does not start. Leave one of them out`,
    )
}

function refuseNesting({ env }: Terminal): void {
  if (env[nestingVariable] !== undefined)
    throw new UsageError(
      'this is a server of another toolbridge serve --stdio. Remove Toolbridge from the configuration that it serves',
    )
}

function marked(spec: ServerSpec): ServerSpec {
  return spec.transport === 'stdio' ? { ...spec, env: { ...spec.env, [nestingVariable]: '1' } } : spec
}

/** Approvals that were given in the console for this machine's hosts count here too. */
async function openEmptyBridge(
  { options, terminal }: Omit<Invocation, 'positionals'>,
  operator: Operator,
  permissions: PermissionRules,
  onToolsChanged: () => void,
): Promise<Bridge> {
  const folder = dataFolder(options, terminal)
  const onMessage = await messageHandler(terminal, messagesFrom(options))
  return openBridge({
    servers: [],
    trust: operator.trust,
    signal: terminal.signal,
    authority: terminalAuthority(terminal),
    permissions,
    grants: fileGrantStore(join(folder, 'grants')),
    pins: filePinStore(join(folder, 'pins')),
    origin,
    credentials: await operator.accounts(terminal),
    journal: (event) => report(event, terminal, onToolsChanged),
    ...(onMessage === undefined ? {} : { onMessage }),
    ...(terminal.transportOf === undefined ? {} : { transportOf: terminal.transportOf }),
  })
}

function report(event: BridgeEvent, terminal: Terminal, onToolsChanged: () => void): void {
  if (event.type === 'tools.changed') onToolsChanged()
  if (event.type === 'diagnostic') printError(terminal, `toolbridge: ${printable(event.message)}`)
  if (event.type === 'server.state' && event.state === 'failed')
    printError(terminal, `toolbridge: ${printable(`${event.server}: ${event.error ?? 'did not start'}`)}`)
}

/** The bridge once its servers have started or failed, or after the longest time that a host should wait. */
async function started(
  bridge: Bridge,
  servers: readonly ServerSpec[],
  terminal: Terminal,
  ending: AbortSignal,
): Promise<Bridge> {
  const starting = bridge.apply(servers).catch((error: unknown) => {
    if (!terminal.signal.aborted && !ending.aborted)
      printError(terminal, `toolbridge: ${printable(String(error))}`)
  })
  const timeout = new AbortController()
  await Promise.race([starting, delay(maxWaitMs, undefined, { signal: timeout.signal, ref: false })])
  timeout.abort()
  return bridge
}
