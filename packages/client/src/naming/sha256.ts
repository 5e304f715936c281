/** The SHA-256 digest of a text as hexadecimal digits. Synchronous, and the same in browsers and Node. */
export function sha256(text: string): string {
  const state = Uint32Array.from(INITIAL)
  const message = padded(new TextEncoder().encode(text))
  for (let offset = 0; offset < message.byteLength; offset += 64) compress(state, message, offset)
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

/** Appends a one bit, zeros and the length in bits, up to a multiple of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const length = Math.ceil((bytes.length + 9) / 64) * 64
  const message = new Uint8Array(length)
  message.set(bytes)
  message[bytes.length] = 0x80
  const view = new DataView(message.buffer)
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(length - 4, bytes.length * 8)
  return view
}

function compress(state: Uint32Array, message: DataView, offset: number): void {
  const schedule = scheduleOf(message, offset)
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  // Without a callback or a swap by destructuring: this is the cost of naming thousands of tools.
  for (let round = 0; round < 64; round++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[round] ?? 0) + (schedule[round] ?? 0)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] ?? 0) + word
  })
}

function scheduleOf(message: DataView, offset: number): Uint32Array {
  const words = new Uint32Array(64)
  for (let index = 0; index < 16; index++) words[index] = message.getUint32(offset + index * 4)
  const at = (index: number): number => words[index] ?? 0
  for (let index = 16; index < 64; index++) {
    const near = at(index - 2)
    const far = at(index - 15)
    const s0 = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3)
    const s1 = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10)
    words[index] = at(index - 16) + s0 + at(index - 7) + s1
  }
  return words
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

const INITIAL: readonly number[] = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]

const ROUNDS: readonly number[] = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]
