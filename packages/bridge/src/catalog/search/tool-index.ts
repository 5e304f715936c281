import { isJsonObject } from '@toolbridge/client/internal'
import type { BridgeTool } from '../bridge-tool.ts'
import { wordsOf } from './words.ts'

/** A search result; a higher score is better. */
export interface ToolMatch {
  /** The tool. */
  readonly tool: BridgeTool
  /** Relevance; higher is better. */
  readonly score: number
}

/** The results of a search. */
export interface ToolMatches {
  /** Best first. */
  readonly matches: readonly ToolMatch[]
  /** Words of the query that no tool has. */
  readonly unmatched: readonly string[]
}

/** The tools that contain a word, by slot, with weighted counts. */
interface Posting {
  readonly slots: number[]
  readonly weights: number[]
}

/** Weights of words by field. */
const weights = { name: 4, title: 3, server: 2, argument: 1.5, description: 1 }
const saturation = 1.2
const lengthShare = 0.4
/** Weight of a prefix match relative to a full match. */
const prefixShare = 0.5
const maxPrefixed = 50

/**
 * A BM25-like index of tools. Tools have slots, so that scores are numbers in one array: with a map, a search over
 * thousands of tools spent most of its time in the map.
 */
export class ToolIndex {
  readonly #postings = new Map<string, Posting>()
  readonly #slots = new Map<BridgeTool, number>()
  readonly #tools: (BridgeTool | undefined)[] = []
  readonly #lengths: number[] = []
  readonly #free: number[] = []
  #scores = new Float64Array(0)
  #totalLength = 0
  /** The sorted words for prefix searches; undefined after a change. */
  #sorted: readonly string[] | undefined

  get tools(): Iterable<BridgeTool> {
    return this.#slots.keys()
  }

  has(tool: BridgeTool): boolean {
    return this.#slots.has(tool)
  }

  add(tool: BridgeTool): void {
    const slot = this.#free.pop() ?? this.#tools.length
    let length = 0
    for (const [word, weight] of weightedWords(tool)) {
      length += weight
      this.#post(word, slot, weight)
    }
    this.#tools[slot] = tool
    this.#lengths[slot] = length
    this.#slots.set(tool, slot)
    this.#totalLength += length
  }

  /** Removes tools; many at once cost little more than one. */
  remove(tools: readonly BridgeTool[]): void {
    const gone = new Set<number>()
    const words = new Set<string>()
    for (const tool of tools) {
      const slot = this.#slots.get(tool)
      if (slot === undefined) continue
      gone.add(slot)
      for (const word of weightedWords(tool).keys()) words.add(word)
      this.#slots.delete(tool)
      this.#tools[slot] = undefined
      this.#totalLength -= this.#lengths[slot] ?? 0
      this.#free.push(slot)
    }
    for (const word of words) this.#withdraw(word, gone)
  }

  /** Returns the best matches; ties are ordered by name. */
  search(query: string, limit: number, isWanted: (tool: BridgeTool) => boolean): ToolMatches {
    if (this.#scores.length < this.#tools.length) this.#scores = new Float64Array(this.#tools.length)
    const touched: number[] = []
    const words = [...new Set(wordsOf(query))]
    const unmatched = words.filter((word) => !this.#score(word, touched))
    const matches = this.#best(touched, limit, isWanted)
    for (const slot of touched) this.#scores[slot] = 0
    return { matches, unmatched }
  }

  #post(word: string, slot: number, weight: number): void {
    const posting = this.#postings.get(word)
    if (posting === undefined) {
      this.#postings.set(word, { slots: [slot], weights: [weight] })
      this.#sorted = undefined
      return
    }
    posting.slots.push(slot)
    posting.weights.push(weight)
  }

  #withdraw(word: string, gone: ReadonlySet<number>): void {
    const posting = this.#postings.get(word)
    if (posting === undefined) return
    const kept: Posting = { slots: [], weights: [] }
    for (const [index, slot] of posting.slots.entries()) {
      if (gone.has(slot)) continue
      kept.slots.push(slot)
      kept.weights.push(posting.weights[index] ?? 0)
    }
    if (kept.slots.length > 0) this.#postings.set(word, kept)
    else {
      this.#postings.delete(word)
      this.#sorted = undefined
    }
  }

  /** Returns whether any tool contains the word or a word that starts with it. */
  #score(word: string, touched: number[]): boolean {
    const exact = this.#postings.get(word)
    if (exact !== undefined) this.#addScores(exact, 1, touched)
    const longer = word.length < 2 ? [] : this.#wordsBeginningWith(word)
    for (const other of longer) {
      const posting = this.#postings.get(other)
      if (posting !== undefined) this.#addScores(posting, prefixShare, touched)
    }
    return exact !== undefined || longer.length > 0
  }

  #addScores({ slots, weights: counts }: Posting, share: number, touched: number[]): void {
    const count = this.#slots.size
    const perLength = (saturation * lengthShare) / (this.#totalLength / Math.max(1, count))
    const base = saturation * (1 - lengthShare)
    const rarity = share * Math.log(1 + (count - slots.length + 0.5) / (slots.length + 0.5))
    for (let index = 0; index < slots.length; index += 1) {
      const slot = slots[index] ?? 0
      const weight = counts[index] ?? 0
      const before = this.#scores[slot] ?? 0
      if (before === 0) touched.push(slot)
      const length = this.#lengths[slot] ?? 0
      this.#scores[slot] =
        before + (rarity * weight * (saturation + 1)) / (weight + base + perLength * length)
    }
  }

  /** The highest scores in order, without sorting the others. */
  #best(
    touched: readonly number[],
    limit: number,
    isWanted: (tool: BridgeTool) => boolean,
  ): readonly ToolMatch[] {
    const found: ToolMatch[] = []
    for (const slot of touched) {
      const score = this.#scores[slot] ?? 0
      const last = found.at(-1)
      if (found.length >= limit && (last === undefined || score < last.score)) continue
      const tool = this.#tools[slot]
      if (tool === undefined || !isWanted(tool)) continue
      const match = { tool, score }
      const at = found.findIndex((other) => byScore(match, other) < 0)
      found.splice(at === -1 ? found.length : at, 0, match)
      if (found.length > limit) found.pop()
    }
    return found
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

/** The words of a tool with their weights over all fields. */
function weightedWords({ server, rawName, definition }: BridgeTool): ReadonlyMap<string, number> {
  const { title, description, inputSchema } = definition
  const properties =
    isJsonObject(inputSchema) && isJsonObject(inputSchema['properties']) ? inputSchema['properties'] : {}
  const words = new Map<string, number>()
  const read = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) words.set(word, (words.get(word) ?? 0) + weight)
  }
  read(rawName, weights.name)
  read(title ?? '', weights.title)
  read(server, weights.server)
  read(Object.keys(properties).join(' '), weights.argument)
  read((description ?? '').slice(0, maxDescription), weights.description)
  return words
}

const maxDescription = 4_000
