#!/usr/bin/env node
import { createInterface } from 'node:readline'
import { CuriousSession, type Send } from './curious-session.ts'

const send: Send = (message) => void process.stdout.write(`${JSON.stringify(message)}\n`)
const session = new CuriousSession(process.argv.includes('modern') ? 'modern' : 'legacy', send)

createInterface({ input: process.stdin }).on('line', (line) => session.receive(JSON.parse(line), send))
process.stdin.on('end', () => process.exit(0))
