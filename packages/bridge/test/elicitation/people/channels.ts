import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answerer, Question } from '@toolbridge/bridge'
import { functionAnswerer } from '@toolbridge/bridge/questions'
import { webhookAnswerer } from '@toolbridge/bridge/webhook'
import { allowInsecureHttp, allowLoopback } from '@toolbridge/client/auth'
import { canary } from '@toolbridge/testkit/secrets'
import type { Ledger, Person } from './ledger.ts'

/** Brings questions to people, each in their own way. */
export interface Channels extends AsyncDisposable {
  /** The way of one person: the same for each person with that number. */
  answererFor(person: Omit<Person, 'answerer'>, index: number): Answerer
}

/** Four ways: answered at once, in a while, one after the other, and by another program over HTTP. */
export async function openChannels(ledger: Ledger): Promise<Channels> {
  const people = new Map<string, Omit<Person, 'answerer'>>()
  const hook = await startHook((path, { message, origin }) => {
    const person = people.get(path)
    const isOwn = JSON.stringify(person?.origin) === JSON.stringify(origin)
    if (!isOwn) ledger.arrive(message, `${path} (told ${JSON.stringify(origin)})`)
    return { action: 'accept', content: { name: person?.name } }
  })
  const { port } = hook.address() as AddressInfo
  const kinds: readonly ((person: Omit<Person, 'answerer'>, index: number) => Answerer)[] = [
    (person) => functionAnswerer((question) => accept(person, ledger, question)),
    (person) => functionAnswerer(async (question) => delay(25, accept(person, ledger, question))),
    (person) => oneByOne((question) => accept(person, ledger, question)),
    (person, index) => {
      const path = `/${index}`
      people.set(path, person)
      const guard = { [allowLoopback]: true, [allowInsecureHttp]: true }
      const url = `http://127.0.0.1:${port}${path}`
      const webhook = webhookAnswerer({ url, secret: canary('webhook'), guard })
      return functionAnswerer((question, options) => {
        // A question that is withdrawn at once may never be posted, and has come here all the same.
        accept(person, ledger, question)
        return webhook.ask(question, options)
      })
    },
  ]
  return {
    answererFor: (person, index) => {
      const kind = kinds[index % kinds.length]
      if (kind === undefined) throw new Error('there are four')
      return kind(person, index)
    },
    [Symbol.asyncDispose]: async () => {
      hook.closeAllConnections()
      await new Promise((resolve) => hook.close(resolve))
    },
  }
}

function accept({ name, origin }: Omit<Person, 'answerer'>, ledger: Ledger, question: Question) {
  const isOwn = JSON.stringify(question.origin) === JSON.stringify(origin)
  ledger.arrive(question.message, isOwn ? name : `${name} (told ${JSON.stringify(question.origin)})`)
  return { action: 'accept', content: { name } } as const
}

function oneByOne(answer: (question: Question) => ReturnType<typeof accept>): Answerer {
  let last: Promise<unknown> = Promise.resolve()
  return functionAnswerer((question) => {
    const answered = last.then(() => delay(2, answer(question)))
    last = answered
    return answered
  })
}

async function startHook(answer: (path: string, question: Question) => object): Promise<Server> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      const { question } = JSON.parse(body) as { readonly question?: Question }
      // What is withdrawn is told, and answered by nothing.
      const said = question === undefined ? {} : answer(request.url ?? '', question)
      response.writeHead(200).end(JSON.stringify(said))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
