/** All functions of public entries that take text, by entry. */
import { rows as bridge } from './bridge.mjs'
import { rows as client } from './client.mjs'
import { rows as config } from './config.mjs'
import { rows as internal } from './internal.mjs'
import { rows as others } from './others.mjs'

/** @type {import('../take.mjs').RowsOfEntries} */
export const functions = { ...client, ...internal, ...bridge, ...config, ...others }
