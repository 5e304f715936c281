import type { Database } from '../database/database.ts'
import { SealError } from '../errors.ts'
import type { OwnerKeys } from '../sealing/owner-keys.ts'
import { type ChainCodes, type ChainedEntry, chainCodes } from './audit-chain.ts'
import type { AuditCheckpoint } from './checkpoint.ts'

/** A place where a chain is not as its writer wrote it. */
export type AuditProblem = {
  /**
   * `changed`: an entry was changed, moved or forged. `missing`: entries before this one were removed. `truncated`: entries up
   * to the checkpoint were removed. `replaced`: the entry is authentic and is not the one of the checkpoint.
   */
  readonly problem: 'changed' | 'missing' | 'truncated' | 'replaced'
  /** The chain. */
  readonly writer: string
  /** Number of the entry. */
  readonly number: number
}

/** The result of `Audit.verify`. */
export type AuditVerification = {
  /** Number of chains that were checked. */
  readonly writers: number
  /** Number of entries that were checked. */
  readonly entries: number
  /** Empty if every chain is intact. */
  readonly problems: readonly AuditProblem[]
}

type StoredEntry = ChainedEntry & { readonly key_owner: string; readonly mac: Uint8Array }

const PAGE_SIZE = 200
const FIRST_WRITER = '00000000-0000-0000-0000-000000000000'

/** Checks the chains of all writers, in pages. */
export async function verifyChains(
  database: Database,
  keys: OwnerKeys,
  checkpoints: readonly AuditCheckpoint[],
): Promise<AuditVerification> {
  const check = new ChainCheck(keys, checkpoints)
  let last: Position | undefined = { writer: FIRST_WRITER, number: 0 }
  while (last !== undefined) {
    const page = await readPage(database, last)
    for (const entry of page) await check.add(entry)
    last = page.at(-1)
  }
  return check.finish()
}

type Position = Pick<StoredEntry, 'writer' | 'number'>

function readPage(database: Database, { writer, number }: Position): Promise<readonly StoredEntry[]> {
  return database.maintain((query) =>
    query<StoredEntry>(
      `select * from lockbox.audit where (writer, number) > ($1, $2) order by writer, number limit ${PAGE_SIZE}`,
      [writer, number],
    ),
  )
}

/** Follows the chains; takes their entries by writer and number. */
class ChainCheck {
  readonly #keys: OwnerKeys
  readonly #codes = new Map<string, ChainCodes>()
  readonly #checkpoints: readonly AuditCheckpoint[]
  readonly #problems: AuditProblem[] = []
  readonly #lengths = new Map<string, number>()
  #entries = 0
  #previous: Uint8Array = new Uint8Array()

  constructor(keys: OwnerKeys, checkpoints: readonly AuditCheckpoint[]) {
    this.#keys = keys
    this.#checkpoints = checkpoints
  }

  async add(entry: StoredEntry): Promise<void> {
    const { writer, number, mac } = entry
    const length = this.#lengths.get(writer) ?? 0
    const problem = length + 1 === number ? await this.#changed(entry, length) : 'missing'
    if (problem !== undefined) this.#problems.push({ problem, writer, number })
    else if (this.#isReplaced(entry)) this.#problems.push({ problem: 'replaced', writer, number })
    this.#lengths.set(writer, number)
    this.#previous = mac
    this.#entries += 1
  }

  finish(): AuditVerification {
    const truncated = this.#checkpoints.filter(
      ({ writer, count }) => (this.#lengths.get(writer) ?? 0) < count,
    )
    const problems = [
      ...this.#problems,
      ...truncated.map(({ writer, count }) => ({ problem: 'truncated' as const, writer, number: count })),
    ]
    return { writers: this.#lengths.size, entries: this.#entries, problems }
  }

  async #changed(entry: StoredEntry, length: number): Promise<'changed' | undefined> {
    const codes = await this.#codesOf(entry)
    if (codes === undefined) return 'changed'
    const previous = length === 0 ? codes.start(entry.writer) : this.#previous
    return codes.next(previous, entry).equals(entry.mac) ? undefined : 'changed'
  }

  #isReplaced({ writer, number, mac }: StoredEntry): boolean {
    const head = Buffer.from(mac).toString('hex')
    return this.#checkpoints.some(
      (checkpoint) => checkpoint.writer === writer && checkpoint.count === number && checkpoint.head !== head,
    )
  }

  async #codesOf({ key_owner, key_id }: StoredEntry): Promise<ChainCodes | undefined> {
    const known = this.#codes.get(key_id)
    if (known !== undefined) return known
    try {
      const codes = chainCodes(await this.#keys.byId(key_owner, key_id))
      this.#codes.set(key_id, codes)
      return codes
    } catch (error) {
      if (error instanceof SealError && error.code === 'damaged') return undefined
      throw error
    }
  }
}
