import { z } from 'zod'

/** An MCP host that used the MCP endpoint since the gateway started. */
export interface ConnectedHost {
  /** Name that the host gave itself: untrusted text. */
  readonly name: string
  /** Time of its last request, as ISO 8601. */
  readonly lastSeenAt: string
}

/** Response of `GET /api/hosts`. */
export interface HostsResponse {
  /** The caller's hosts, most recently seen first. */
  readonly hosts: readonly ConnectedHost[]
}

/** Query of `GET /api/connect`. */
export interface ConnectQuery {
  /** Address of the MCP endpoint, as the host reaches it. */
  readonly url: string
}

/** Schema of `ConnectQuery`. */
export const connectQuerySchema: z.ZodType<ConnectQuery> = z.object({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2_000),
})

/** How to connect an MCP host. */
export interface HostGuide {
  /** Identifies the host: the name of its dialect. */
  readonly id: string
  /** Name for people. */
  readonly name: string
  /** What to write in the file of the host, in its own dialect. `keyPlaceholder` stands for the key. */
  readonly text: string
  /** The file by platform. Absent if the host has none of a user. */
  readonly files?: { readonly linux: string; readonly darwin: string; readonly win32: string }
  /** A command that does the same. Absent if the host has none. */
  readonly command?: string
  /** Whether the host uses this gateway, with a key; otherwise it starts Toolbridge as a program. */
  readonly usesKey: boolean
}

/** Response of `GET /api/connect`. */
export interface ConnectResponse {
  /** The text in `text` and `command` that stands for the key. */
  readonly keyPlaceholder: string
  /** The hosts that can be connected. */
  readonly guides: readonly HostGuide[]
}
