/** The MCP endpoint as an OAuth protected resource. */
export interface ProtectedResource {
  /** URL of the MCP endpoint. */
  readonly resource: string
  /** URL of the issuer of its access tokens. */
  readonly issuer: string
}
