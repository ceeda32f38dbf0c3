// A process of answers.mjs: takes questions, makes their files, gives back the answers.
import { answered } from './answers.mjs'

const { filesOf } = await import(process.argv[2])

process.on('message', async (question) => {
  process.send(await answered(filesOf(question), question.seed))
})
