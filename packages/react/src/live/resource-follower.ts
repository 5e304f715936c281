import type { GatewayEvent, ReadResourceRequest } from '@toolbridge/api'
import type { GatewayClient } from '../gateway-client.ts'

/** Methods that `ResourceFollower` calls. */
export interface ResourceListener {
  /** Called when the resource may have changed. */
  onUpdate(): void
  /** Called with why the resource is not followed at present, or with null when it is. */
  onState(error: Error | null): void
}

/** The gateway forgets a subscription that is not renewed for two minutes. */
const renewEveryMs = 60_000

/** Keeps a subscription to a resource open. */
export class ResourceFollower {
  readonly #client: Pick<GatewayClient, 'subscribeResource' | 'unsubscribeResource'>
  readonly #resource: ReadResourceRequest
  readonly #listener: ResourceListener
  readonly #stopping = new AbortController()
  readonly #timer: ReturnType<typeof setInterval>

  constructor(
    client: Pick<GatewayClient, 'subscribeResource' | 'unsubscribeResource'>,
    resource: ReadResourceRequest,
    listener: ResourceListener,
  ) {
    this.#client = client
    this.#resource = resource
    this.#listener = listener
    this.#timer = setInterval(() => void this.#renew(), renewEveryMs)
    void this.#renew()
  }

  /** After `hello`, events may have been missed and the gateway may have restarted. */
  readonly onEvent = (event: GatewayEvent): void => {
    if (event.type !== 'hello' && !this.#isAbout(event)) return
    if (event.type === 'resource' && event.change === 'updated') return this.#listener.onUpdate()
    void this.#renew().then(() => this.#stopping.signal.aborted || this.#listener.onUpdate())
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#stopping.abort()
    // It expires otherwise.
    this.#client.unsubscribeResource(this.#resource).catch(() => undefined)
  }

  #isAbout(event: GatewayEvent): boolean {
    const { server, uri } = this.#resource
    return event.type === 'resource' && event.server === server && event.uri === uri
  }

  async #renew(): Promise<void> {
    const { signal } = this.#stopping
    try {
      await this.#client.subscribeResource(this.#resource, { signal })
      if (!signal.aborted) this.#listener.onState(null)
    } catch (error) {
      if (!signal.aborted) this.#listener.onState(error instanceof Error ? error : new Error(String(error)))
    }
  }
}
