/** For the packages of this repository only: not part of the public API, may change in any release. */

export { OrderedHttpTransport } from './transports/http/ordered-http-transport.ts'
