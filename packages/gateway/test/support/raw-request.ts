import { get } from 'node:http'
import { paths } from '@toolbridge/api'

/** The status of a request to the health page that names any host it likes, which `fetch` does not allow. */
export function statusOf(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: paths.health, headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }).on('error', reject)
  })
}
