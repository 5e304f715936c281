import { config } from 'zod'

// The gateway's content security policy forbids to make code from text. Zod would try, and the browser would report it; it
// decides when schemas are made, so this has to be imported before any of them.
config({ jitless: true })
