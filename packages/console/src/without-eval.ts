import { config } from 'zod'

// The content security policy forbids eval. Zod would try it and cause a violation report. Zod decides when a schema is
// created, so this module must be imported before any schema.
config({ jitless: true })
