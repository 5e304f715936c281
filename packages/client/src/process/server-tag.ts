/** What the tag of a server's process says. */
export interface ServerTag {
  /** Unique on this machine: no other server has, or will have, the same. */
  readonly key: string
  /** Id of the process that started the server. */
  readonly owner: number
  /** Name of the server; undefined if it was started without one. */
  readonly name: string | undefined
}

/** An id for the servers of this process. Not secret, so the modules of cryptography, which take long to load, are not needed. */
export function uniqueOwnerId(): string {
  return [process.pid, Date.now(), Math.random()].map((part) => part.toString(36)).join('-')
}

/** The tag of a server. A server that starts servers itself (`outer`) appends their tags to its own. */
export function formatTag(outer: string | undefined, key: string, name: string | undefined): string {
  const named = name === undefined ? key : `${key}~${Buffer.from(name).toString('base64url')}`
  return outer === undefined ? named : `${outer}/${named}`
}

/** Parses the tag of a process. Undefined if it has none. */
export function parseTag(tag: string): ServerTag | undefined {
  const [, key = '', owner = '', name] =
    /(?:^|\/)(([\da-z]+)-[\da-z]+-[\da-z.]+\.\d+)(?:~([\w-]*))?$/.exec(tag) ?? []
  if (key === '') return undefined
  const decoded = name === undefined ? undefined : Buffer.from(name, 'base64url').toString()
  return { key, owner: Number.parseInt(owner, 36), name: decoded }
}

/** Whether a process with this tag belongs to the server with this key, directly or as a server of that server. */
export function isTaggedBy(tag: string, key: string): boolean {
  return tag.split('/').some((each) => each === key || each.startsWith(`${key}~`))
}
