import type { ServerResponse } from 'node:http'

/** Sends the page that the person sees after the sign-in. */
export function sendResultPage(response: ServerResponse, wasRefused: boolean): void {
  const text = wasRefused
    ? 'The sign-in was not completed. The program that started it shows the reason.'
    : 'You are signed in. The program that started the sign-in continues.'
  send(response, 200, wasRefused ? 'Not signed in' : 'Signed in', text)
}

/** Sends the page for a request that does not belong to the current sign-in. */
export function sendNotFoundPage(response: ServerResponse): void {
  send(response, 404, 'Not found', 'This URL belongs to a sign-in that has ended or was started elsewhere.')
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
