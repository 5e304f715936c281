import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { nodeBuiltin } from '../../runtime/node-builtins.ts'
import { parsedUrl } from '../../text/parsed-url.ts'
import { sendResultPage, sendNotFoundPage } from './loopback-page.ts'
import { equalsInConstantTime } from '../crypto/pkce.ts'

const PATH = '/callback'

/** No callback request of a browser is longer. */
const MAX_HEADER_BYTES = 16 * 1024

/** Listens on 127.0.0.1 for the callback of a sign-in. */
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

  /** Listens on the port if it is free, else on any free port. Does not keep the process alive. */
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

  /** Resolves with the callback URL that has this state. Keeps the process alive until then, or until `close()`. */
  waitForCallback(state: string): Promise<string> {
    this.#server.ref()
    this.#expected = state
    return new Promise((resolve) => {
      this.#onReturn = resolve
    })
  }

  /** Closes all connections once the last page is sent: browsers also open connections that they never use. */
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

  /** The requested URL if it is the callback. Any program on this machine may send any request. */
  #ownAddress(request: IncomingMessage): URL | undefined {
    const { method, url = '' } = request
    const address = url.startsWith('/') ? parsedUrl(`http://127.0.0.1:${this.port}${url}`) : undefined
    const isOurs = method === 'GET' && address?.pathname === PATH && this.#isNavigation(request)
    return isOurs ? address : undefined
  }

  /** Another hostname for this address indicates DNS rebinding; an origin, a script of a page instead of a person who comes back. */
  #isNavigation({ headers: { host, origin } }: IncomingMessage): boolean {
    const isOwnHost = host === `127.0.0.1:${this.port}` || host === `localhost:${this.port}`
    return isOwnHost && origin === undefined
  }
}
