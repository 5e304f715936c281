/** Decides how public tool names are made. */
export interface NamingPolicy {
  /** Separates the server's part from the tool's part. `none`: the name is the tool's part alone. Default: `__`. */
  readonly separator: '-' | '_' | '.' | '__' | 'none'
  /**
   * `identifier`: letters, digits and `_` in both parts. `kebab`: lower case, runs of other characters become one `-`.
   * `namespace-only`: the server's part as an identifier, the tool's part unchanged. `none`: both unchanged, which not
   * every model API accepts. Default: `identifier`.
   */
  readonly sanitize: 'kebab' | 'identifier' | 'namespace-only' | 'none'
  /** Longer names are cut and end in a hash. At least 24; `Infinity` for no limit. Default: 64. */
  readonly maxLength: number
  /**
   * What happens to tools that would share a name. `suffix`: each gets a hash. `error`: none of them is offered.
   * `first-wins`: only the first by server and tool is offered. A diagnostic reports each case. Default: `suffix`.
   */
  readonly onCollision: 'error' | 'suffix' | 'first-wins'
}

/** `server__tool` in at most 64 characters that every model API accepts. */
export const defaultNaming: NamingPolicy = {
  separator: '__',
  sanitize: 'identifier',
  maxLength: 64,
  onCollision: 'suffix',
}

/** The naming of agent tools: the namespace becomes an identifier; the server's own tool name stays as it is. */
export const agentToolNaming: NamingPolicy = { ...defaultNaming, sanitize: 'namespace-only' }

const MIN_LENGTH = 24

/** Completes a policy with the defaults. Throws a `RangeError` if `maxLength` leaves no space for a hash. */
export function namingPolicy(choices: Partial<NamingPolicy> = {}): NamingPolicy {
  const policy = { ...defaultNaming, ...choices }
  if (!(policy.maxLength >= MIN_LENGTH))
    throw new RangeError(`names need space for a hash: maxLength must be at least ${MIN_LENGTH}`)
  return policy
}
