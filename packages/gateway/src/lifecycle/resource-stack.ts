/** Something that was opened and is closed by whoever opened it. */
export interface Closable {
  close(): Promise<void>
}

/** Closes what it was given in reverse order, once; what fails to close does not keep the rest open. */
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
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed')
  }
}
