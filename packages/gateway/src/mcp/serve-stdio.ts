import type { Readable, Writable } from 'node:stream'
import type { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Answerer, Bridge, Origin } from '@toolbridge/bridge'
import { createCodeRunner } from '@toolbridge/bridge/code'
import { GatewayError } from '../errors/gateway-error.ts'
import type { Closable } from '../lifecycle/resource-stack.ts'
import { RunningCalls } from '../lifecycle/running-calls.ts'
import { createBridgeServer } from './bridge-server.ts'
import { hostAnswerer } from './eliciting-answerer.ts'
import { readableLines, type RefusedMessage } from './readable-lines.ts'
import type { ToolsMode } from './tools-mode.ts'

/** Options of `serveOnStdio`. */
export interface StdioOptions {
  /** The bridge whose tools are served. A host that asks earlier waits for it. */
  readonly bridge: Promise<Bridge>
  /** Origin of the host's calls. */
  readonly origin: Origin
  /** How the host gets the tools. Default: `all`. */
  readonly tools?: ToolsMode
  /** Messages of the host, one per line. */
  readonly stdin: Readable
  /** Messages for the host, one per line. */
  readonly stdout: Writable
  /** Receives log lines. */
  readonly log: (line: string) => void
}

/** The MCP host that started this process. Closing aborts its calls, answers them and ends the connection. */
export interface StdioHost extends Closable {
  /** Resolves when the host has closed its end. */
  readonly ended: Promise<void>
  /** Notifies the host that the list of tools has changed. */
  toolsChanged(): void
}

/**
 * Serves the tools of a bridge on stdio, in the era in which the host begins. The host is asked the servers' forms if it can
 * show them. Nobody can approve a call here, so a call that needs approval is denied.
 */
export function serveOnStdio(options: StdioOptions): StdioHost {
  const { bridge, origin, tools: toolsMode = 'all', stdin, stdout, log } = options
  const running = new RunningCalls()
  const codeRunner = createCodeRunner()
  const stopping = new AbortController()
  let server: Server | undefined
  const createServer = (): Server =>
    createBridgeServer({
      bridgeOf: () => bridge,
      originOf: () => origin,
      answererFor: (host, context) => hostAnswerer(host, context, nobody),
      running,
      toolsMode,
      codeRuns: codeRunner,
      stopping: stopping.signal,
      log,
    })
  const refuse = ({ id, ...error }: RefusedMessage): void => {
    log(`a message of the MCP host was refused: ${error.message}`)
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`)
  }
  const connection = serveStdio(() => (server = createServer()), {
    transport: new StdioServerTransport(readableLines(stdin, refuse), stdout),
    onerror: (error) => log(`a message of the MCP host failed: ${error.message}`),
  })
  return {
    ended: new Promise((resolve) => stdin.once('close', resolve).once('end', resolve)),
    toolsChanged: () => void server?.sendToolListChanged().catch(() => undefined),
    async close() {
      stopping.abort(new GatewayError('stopping', 'Toolbridge is stopping; try again later'))
      await running.allAnswered()
      await codeRunner.close()
      await connection.close()
    },
  }
}

const nobody: Answerer = { channel: 'host', kinds: [], ask: () => Promise.resolve({ action: 'decline' }) }
