export * from 'ai'
export { MockLanguageModelV4 as MockLanguageModel } from 'ai/test'
