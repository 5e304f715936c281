import { isRecord } from '../../record.ts'
import type { BridgeTool } from '../bridge-tool.ts'
import { wordsOf } from './words.ts'

/** A tool that a search found; a higher score fits better. */
export interface ToolMatch {
  readonly tool: BridgeTool
  readonly score: number
}

export interface ToolMatches {
  /** Best first. */
  readonly matches: readonly ToolMatch[]
  /** Words of the query that no tool has. */
  readonly unmatched: readonly string[]
}

interface Posting {
  readonly tool: BridgeTool
  /** How often the word occurs, by how much each place counts. */
  weight: number
}

/** By how much a word counts, by where it stands. */
const weights = { name: 4, title: 3, server: 2, argument: 1.5, description: 1 }
const saturation = 1.2
const lengthShare = 0.4
/** A beginning of a word counts this much of the word. */
const prefixShare = 0.5
const maxPrefixed = 50

/** A ranked index of tools by words, in the manner of BM25. Adding and removing a tool costs what its words cost. */
export class ToolIndex {
  readonly #postings = new Map<string, Map<BridgeTool, Posting>>()
  readonly #lengths = new Map<BridgeTool, number>()
  #totalLength = 0
  /** Every word in order, for searches by beginning; undefined when the words have changed. */
  #sorted: readonly string[] | undefined

  get tools(): Iterable<BridgeTool> {
    return this.#lengths.keys()
  }

  has(tool: BridgeTool): boolean {
    return this.#lengths.has(tool)
  }

  add(tool: BridgeTool): void {
    let length = 0
    for (const [word, weight] of weightedWords(tool)) {
      length += weight
      this.#post(word, tool, weight)
    }
    this.#lengths.set(tool, length)
    this.#totalLength += length
  }

  remove(tool: BridgeTool): void {
    for (const [word] of weightedWords(tool)) {
      const postings = this.#postings.get(word)
      postings?.delete(tool)
      if (postings?.size === 0) {
        this.#postings.delete(word)
        this.#sorted = undefined
      }
    }
    this.#totalLength -= this.#lengths.get(tool) ?? 0
    this.#lengths.delete(tool)
  }

  /** The tools that fit best; ties are broken by name. */
  search(query: string, limit: number): ToolMatches {
    const scores = new Map<BridgeTool, number>()
    const words = [...new Set(wordsOf(query))]
    const unmatched = words.filter((word) => !this.#score(word, scores))
    const matches = [...scores].map(([tool, score]) => ({ tool, score }))
    return { matches: matches.toSorted(byScore).slice(0, limit), unmatched }
  }

  #post(word: string, tool: BridgeTool, weight: number): void {
    const postings = this.#postings.get(word)
    const posting = postings?.get(tool)
    if (posting !== undefined) posting.weight += weight
    else if (postings !== undefined) postings.set(tool, { tool, weight })
    else {
      this.#postings.set(word, new Map([[tool, { tool, weight }]]))
      this.#sorted = undefined
    }
  }

  /** Whether any tool has the word, or one that begins with it. */
  #score(word: string, scores: Map<BridgeTool, number>): boolean {
    const exact = this.#postings.get(word)
    if (exact !== undefined) this.#addScores(exact, 1, scores)
    const longer = word.length < 2 ? [] : this.#wordsBeginningWith(word)
    for (const other of longer) this.#addScores(this.#postings.get(other) ?? new Map(), prefixShare, scores)
    return exact !== undefined || longer.length > 0
  }

  #addScores(
    postings: ReadonlyMap<BridgeTool, Posting>,
    share: number,
    scores: Map<BridgeTool, number>,
  ): void {
    const count = this.#lengths.size
    const average = this.#totalLength / Math.max(1, count)
    const rarity = Math.log(1 + (count - postings.size + 0.5) / (postings.size + 0.5))
    for (const { tool, weight } of postings.values()) {
      const length = (this.#lengths.get(tool) ?? average) / average
      const frequency =
        (weight * (saturation + 1)) / (weight + saturation * (1 - lengthShare + lengthShare * length))
      scores.set(tool, (scores.get(tool) ?? 0) + share * rarity * frequency)
    }
  }

  #wordsBeginningWith(beginning: string): readonly string[] {
    this.#sorted ??= [...this.#postings.keys()].toSorted()
    const words = this.#sorted
    let [low, high] = [0, words.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((words[middle] ?? '') <= beginning) low = middle + 1
      else high = middle
    }
    const found: string[] = []
    for (let at = low; found.length < maxPrefixed && words[at]?.startsWith(beginning) === true; at += 1)
      found.push(words[at] ?? '')
    return found
  }
}

function byScore(a: ToolMatch, b: ToolMatch): number {
  return b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1)
}

function* weightedWords({ server, rawName, definition }: BridgeTool): Generator<readonly [string, number]> {
  const { title, description, inputSchema } = definition
  const properties =
    isRecord(inputSchema) && isRecord(inputSchema['properties']) ? inputSchema['properties'] : {}
  for (const word of wordsOf(rawName)) yield [word, weights.name]
  for (const word of wordsOf(title ?? '')) yield [word, weights.title]
  for (const word of wordsOf(server)) yield [word, weights.server]
  for (const name of Object.keys(properties)) for (const word of wordsOf(name)) yield [word, weights.argument]
  for (const word of wordsOf((description ?? '').slice(0, maxDescription))) yield [word, weights.description]
}

const maxDescription = 4_000
