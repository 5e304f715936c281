/** The program of a worker thread that runs code in a sandbox, once. */
import { parentPort, workerData } from 'node:worker_threads'
import type { ToWorker, WorkerData } from './messages.ts'
import { Sandbox } from './sandbox.ts'

const port = parentPort
if (port === null) throw new Error('this program is started as a worker thread')
const { engine, limits }: WorkerData = workerData
const sandbox = await Sandbox.create(engine, limits, (message) => port.postMessage(message))
port.on('message', (message: ToWorker) => {
  if (message.type === 'run') sandbox.run(message.code, message.functions)
  else if (message.type === 'answer') sandbox.answer(message.call, message.value)
  else sandbox.refuse(message.call, message.message)
})
port.postMessage({ type: 'ready' })
