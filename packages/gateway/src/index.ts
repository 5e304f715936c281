export { createApp } from './app.ts'
export { type Gateway, type GatewayOptions, startGateway } from './start.ts'
