import type { Implementation } from '@toolbridge/client'

/** Name and version that the gateway sends to servers and MCP hosts. */
export const gatewayInfo: Implementation = { name: 'toolbridge', version: '0.1.0' }
