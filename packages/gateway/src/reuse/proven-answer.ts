import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import type { OwnerFile } from '../sign-in/owner-file.ts'
import { type ReuseAnswer, readReuseAnswer, reusePath, signerOf } from './reuse-answer.ts'

/** Enough for thousands of servers. The program that listens on the port may send anything. */
const maxAnswerBytes = 1024 * 1024

/**
 * Asks the gateway of an owner file about its servers. Undefined if the answer does not prove that the gateway knows the
 * token: another program may listen on the port of a gateway that has ended. The token itself is not sent. Rejects if
 * nothing answers.
 */
export async function provenAnswer(
  { url, token }: OwnerFile,
  signal: AbortSignal,
): Promise<ReuseAnswer | undefined> {
  const nonce = randomBytes(24).toString('base64url')
  const answer = readReuseAnswer(await fetchText(`${url}${reusePath}?nonce=${nonce}`, signal))
  return answer?.proof === signerOf(token).nonce(nonce) ? answer : undefined
}

/** With `node:http`, because loading `fetch` takes longer than the rest of a call. */
function fetchText(url: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, signal }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > maxAnswerBytes) request.destroy(new Error('the answer is too long'))
      })
      response.on('end', () => resolve(text))
      response.on('error', reject)
    })
    request.on('error', reject)
  })
}
