/** The OpenAPI description of the HTTP API. Apart from the contract, because pages do not need it. */
export { type OpenApiDocument, openApiDocument } from './openapi/document.ts'
export type { Access, Operation } from './openapi/operation.ts'
export { operations } from './openapi/operations/all.ts'
