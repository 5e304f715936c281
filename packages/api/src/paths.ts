/** The paths of the gateway's HTTP API. */
export const paths = {
  signIn: '/api/session',
  signInCode: '/api/session/code',
  keys: '/api/keys',
  key: (id: string): string => `/api/keys/${encodeURIComponent(id)}`,
  config: '/api/mcp/config',
  servers: '/api/servers',
  restart: (server: string): string => `/api/servers/${encodeURIComponent(server)}/restart`,
  tools: '/api/tools',
  call: '/api/tools/call',
  inbox: '/api/inbox',
  answer: (id: string): string => `/api/inbox/${encodeURIComponent(id)}/answer`,
  events: '/api/events',
  activity: '/api/activity',
  invoke: '/api/workflow/invoke',
  health: '/healthz',
  mcp: '/mcp',
} as const
