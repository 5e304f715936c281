import type { ServerResponse } from 'node:http'

/** What a person sees when they are back: the rest happens where they came from. */
export function sendResultPage(response: ServerResponse, wasRefused: boolean): void {
  const text = wasRefused
    ? 'The sign-in was not completed. The program that asked for it says why.'
    : 'You are back. The program that asked you to sign in goes on by itself.'
  send(response, 200, wasRefused ? 'Not signed in' : 'Signed in', text)
}

/** For a visitor who does not come from the sign-in that was begun here. */
export function sendNotFoundPage(response: ServerResponse): void {
  send(
    response,
    404,
    'Nothing here',
    'This address belongs to a sign-in that is over, or that began elsewhere.',
  )
}

function send(response: ServerResponse, status: number, title: string, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(page(title, `${text} You can close this window.`))
}

function page(title: string, text: string): string {
  const style = `body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem;
color-scheme:light dark}`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${style}</style><main><h1>${title}</h1><p>${text}</p></main></html>`
}
