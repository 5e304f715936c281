/** The running servers of a gateway, for commands of the same user. */

export { findRunningGateway, type RunningGateway } from './reuse/running-gateway.ts'
