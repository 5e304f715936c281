/** Returns the response to a request that is refused before an MCP server sees it. */
export function refusal(status: number, code: number, message: string, id: unknown = null): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status })
}
