import type { WorkflowInvokeRequest, WorkflowInvokeResponse } from '@toolbridge/api'
import type { Closable } from '../lifecycle/resource-stack.ts'
import { RunningCalls } from '../lifecycle/running-calls.ts'
import type { Principal } from '../sign-in/principal.ts'
import type { WorkflowHost, WorkflowHostOptions } from './workflow-host.ts'

/** The workflows of the gateway. Their code, with the AI SDK, is loaded by the first invocation. */
export class Workflows implements Closable {
  readonly #options: WorkflowHostOptions
  readonly #running = new RunningCalls()
  #host: Promise<WorkflowHost> | undefined

  constructor(options: WorkflowHostOptions) {
    this.#options = options
  }

  /** Runs the nodes with the saved servers of the principal. Rejects with the reason of the signal if that is aborted. */
  invoke(
    principal: Principal,
    request: WorkflowInvokeRequest,
    signal: AbortSignal,
  ): Promise<WorkflowInvokeResponse> {
    return this.#running.track(this.#invoke(principal, request, signal))
  }

  /**
   * Closes the clients of an owner's servers, by default of all, so that later calls use current rules and definitions. Never
   * rejects: a server that does not stop is logged.
   */
  async closeClients(owner?: string): Promise<void> {
    try {
      await (await this.#host)?.closeClients(owner)
    } catch (error) {
      this.#options.log(`a server of a workflow did not stop: ${error instanceof Error ? error.message : ''}`)
    }
  }

  /** Reads the saved servers of an owner again on their next use. */
  async forgetToolkits(owner: string): Promise<void> {
    const host = await this.#host?.catch(() => undefined)
    host?.forgetToolkits(owner)
  }

  /** Waits for the running workflows and stops their servers. */
  async close(): Promise<void> {
    await this.#running.allAnswered()
    await (await this.#host)?.close()
  }

  async #invoke(...request: Parameters<WorkflowHost['invoke']>): Promise<WorkflowInvokeResponse> {
    this.#host ??= this.#load()
    return (await this.#host).invoke(...request)
  }

  async #load(): Promise<WorkflowHost> {
    const { createWorkflowHost } = await import('./workflow-host.ts')
    return createWorkflowHost(this.#options)
  }
}
