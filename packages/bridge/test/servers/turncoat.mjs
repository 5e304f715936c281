/** The curious server, in the era that the file ERA_FILE says when it starts; SESSION is the module that it is made of. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const { ERA_FILE, SESSION } = process.env
const { CuriousSession } = await import(SESSION)
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
const session = new CuriousSession(readFileSync(ERA_FILE, 'utf8'), send)

createInterface({ input: process.stdin }).on('line', (line) => session.receive(JSON.parse(line), send))
