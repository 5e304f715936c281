import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { nodeBuiltin } from '../../runtime/node-builtins.ts'
import { parseUrl } from '../messages/endpoint-url.ts'
import { sendResultPage, sendNotFoundPage } from './loopback-page.ts'
import { equalsInConstantTime } from '../crypto/pkce.ts'

const PATH = '/callback'

/** Nothing that a browser sends on its way back is longer. */
const MAX_HEADER_BYTES = 16 * 1024

/** Waits on 127.0.0.1 for a person to be sent back to it. */
export class LoopbackListener {
  readonly #server: Server
  #expected: string | undefined
  #onReturn: ((address: string) => void) | undefined
  #lastPage: ServerResponse | undefined

  private constructor() {
    const { createServer } = nodeBuiltin('node:http')
    this.#server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) =>
      this.#answer(request, response),
    )
    this.#server.maxConnections = 16
  }

  /** Listens on the port if it is free, else on any. The process does not stay for it alone. */
  static async open(port: number): Promise<LoopbackListener> {
    const listener = new LoopbackListener()
    await listener.#listen(port).catch(() => listener.#listen(0))
    listener.#server.unref()
    return listener
  }

  get port(): number {
    const address = this.#server.address()
    return address === null || typeof address === 'string' ? 0 : address.port
  }

  get redirectUrl(): string {
    return `http://127.0.0.1:${this.port}${PATH}`
  }

  /** The address that the person comes back to with this state. The process stays until then, or until `close()`. */
  waitForCallback(state: string): Promise<string> {
    this.#server.ref()
    this.#expected = state
    return new Promise((resolve) => {
      this.#onReturn = resolve
    })
  }

  /** Lets the last page be sent and everything else go: browsers also open connections that they never use. */
  close(): void {
    this.#server.close()
    this.#server.unref()
    const closeRest = (): void => this.#server.closeAllConnections()
    if (this.#lastPage === undefined || this.#lastPage.closed) closeRest()
    else this.#lastPage.once('close', closeRest)
  }

  #listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const address = this.#ownAddress(request)
    const state = address?.searchParams.get('state') ?? ''
    const isExpected = this.#expected !== undefined && equalsInConstantTime(state, this.#expected)
    if (address === undefined || !isExpected) return sendNotFoundPage(response)
    sendResultPage(response, address.searchParams.has('error'))
    this.#lastPage = response
    this.#expected = undefined
    this.#onReturn?.(address.href)
  }

  /** What was asked for, if it is the place to come back to. Anybody on this machine may ask, with anything. */
  #ownAddress(request: IncomingMessage): URL | undefined {
    const { method, url = '' } = request
    const address = url.startsWith('/') ? parseUrl(`http://127.0.0.1:${this.port}${url}`) : undefined
    // Another name for this address is one that somebody else made up (DNS rebinding).
    const isOurs = method === 'GET' && address?.pathname === PATH && this.#isOwnHost(request)
    return isOurs ? address : undefined
  }

  #isOwnHost({ headers: { host } }: IncomingMessage): boolean {
    return host === `127.0.0.1:${this.port}` || host === `localhost:${this.port}`
  }
}
