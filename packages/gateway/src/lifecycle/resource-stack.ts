/** A resource that its owner closes. */
export interface Closable {
  close(): Promise<void>
}

/** Closes its resources once, in reverse order. An error does not keep the others open. */
export class ResourceStack implements Closable {
  readonly #opened: Closable[] = []
  #closed: Promise<void> | undefined

  add<T extends Closable>(resource: T): T {
    this.#opened.push(resource)
    return resource
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeAll()
    return this.#closed
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = []
    for (let next = this.#opened.pop(); next !== undefined; next = this.#opened.pop()) {
      await next.close().catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw new AggregateError(failures, 'some resources could not be closed')
  }
}
