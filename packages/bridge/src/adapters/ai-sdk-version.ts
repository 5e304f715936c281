/** A major version of the AI SDK. */
export type AiSdkVersion = 6 | 7

/**
 * The major version of an `ai` package. Version 6 exports `experimental_customProvider`, which version 7 removed
 * (https://ai-sdk.dev/docs/migration-guides/migration-guide-7-0); a major version never loses or regains an export.
 */
export function versionOf(sdk: object): AiSdkVersion {
  return 'experimental_customProvider' in sdk ? 6 : 7
}
