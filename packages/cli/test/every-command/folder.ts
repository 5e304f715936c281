import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileGrantStore } from '@toolbridge/bridge/permissions'
import { workplace, workshopWith, type Workplace } from '../workshop.ts'

const program = { command: 'no-such-program' }

/** Files of the folder in which the rows run. The home folder is `home` in it. */
const documents: Readonly<Record<string, object>> = {
  'missing-program.json': { mcpServers: { missing: program } },
  'few.json': { mcpServers: { workshop: workshopWith('open') } },
  'remote.json': {
    mcpServers: { far: { type: 'http', url: 'http://127.0.0.1:1/mcp', headers: { 'X-Team': 'a' } } },
  },
  'wrong.json': { mcpServers: { wrong: { ...program, args: 'one' } } },
  'filtered.json': { mcpServers: { files: { ...program, tools: { deny: ['write'] } } } },
  'removed.json': { mcpServers: { files: program } },
  'project/.toolbridge/mcp.json': { mcpServers: { files: program } },
  'trusted/.toolbridge/mcp.json': { mcpServers: { files: program } },
  'cursor/.cursor/mcp.json': { mcpServers: { files: program } },
}

/** A folder with `mcp.json`, which has the workshop, and everything else that the rows need, except a gateway. */
export async function prepareFolder(): Promise<Workplace> {
  const place = workplace()
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(place.path, path)), { recursive: true })
    writeFileSync(join(place.path, path), text)
  }
  for (const [path, document] of Object.entries(documents)) write(path, JSON.stringify(document))
  write('broken.json', '{\n')
  write('program.ts', 'export default ({ args }: { args: string[] }) => ({ args })\n')
  for (const folder of ['empty', 'home', 'data', 'connect', 'connected']) mkdirSync(join(place.path, folder))
  const env = { HOME: join(place.path, 'home') }
  await place.run(['tools', '--record', 'recorded.cassette'], { env })
  await place.run(['connect', 'cursor', '--project', '--yes'], { env, cwd: join(place.path, 'connected') })
  const grants = fileGrantStore(join(place.path, 'data/grants'))
  for (const tool of ['read', 'write'])
    await grants.add({ principal: 'local', server: 'files', definition: 'd', tool, pin: 'p', asks: [] })
  return place
}
