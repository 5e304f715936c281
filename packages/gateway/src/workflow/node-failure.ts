/** A node of a workflow that failed. The code and the message are sent to the caller. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
