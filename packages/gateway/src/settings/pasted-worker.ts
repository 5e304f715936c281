/** A worker thread that reads one pasted text, so that a text that takes long makes nobody else wait. */
import { parentPort, workerData } from 'node:worker_threads'
import { readingOf } from './explain-text.ts'

parentPort?.postMessage(await readingOf(workerData))
