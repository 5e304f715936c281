/** What the page of the browser test loads: a connection, its tools and calls, over HTTP, in both eras. */
import { connectMcp } from '@toolbridge/client'

Object.assign(globalThis, { connectMcp })
