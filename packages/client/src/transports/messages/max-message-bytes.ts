/** Default of `maxMessageBytes`. */
export const DEFAULT_MAX_MESSAGE_BYTES: number = 32 * 1024 * 1024
