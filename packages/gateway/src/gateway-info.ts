import type { Implementation } from '@toolbridge/client'

/** How the gateway names itself to servers and to MCP hosts. */
export const gatewayInfo: Implementation = { name: 'toolbridge', version: '0.1.0' }
