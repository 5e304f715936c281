/**
 * - `no_key`: the variable with the provider's key is not set, or has something else.
 * - `unknown_provider`: the name of the model does not begin with a known provider.
 * - `invalid_model`: the name has no model, or the base URL cannot be used.
 * - `failed`: the provider refused the request, or did not answer.
 */
export type ModelErrorCode = 'no_key' | 'unknown_provider' | 'invalid_model' | 'failed'

/** A model that cannot be used. The message says what to do, and has no key. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode

  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
