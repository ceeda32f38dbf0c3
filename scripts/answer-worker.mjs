// A thread of answers.mjs: takes questions, makes their files, gives back the answers.
import { parentPort, workerData } from 'node:worker_threads'
import { answered } from './answers.mjs'

const { filesOf } = await import(workerData.study)

parentPort.on('message', async (question) => {
  parentPort.postMessage(await answered(filesOf(question), question.seed))
})
