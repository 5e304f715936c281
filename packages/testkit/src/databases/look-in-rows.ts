import { Client } from 'pg'
import { look } from '../secrets/leaks.ts'

/** Searches all rows of a database for canaries, as a dump would show them: binary values in hexadecimal. */
export async function lookInRows(url: string): Promise<void> {
  const client = new Client({ connectionString: url, statement_timeout: 60_000 })
  await client.connect()
  try {
    for (const table of await tablesOf(client)) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${table} t`)
      look('databases', rows.map(({ row }) => row).join('\n'), `the table ${table}`)
    }
  } finally {
    await client.end()
  }
}

async function tablesOf(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and oid >= 16384`,
  )
  return rows.map(({ name }) => name)
}
