/** A running gateway and its servers, for commands of the same user. */

export { findRunningGateway, type RunningGateway } from './reuse/running-gateway.ts'
export { type OwnerRequest, requestAsOwner } from './reuse/owner-request.ts'
