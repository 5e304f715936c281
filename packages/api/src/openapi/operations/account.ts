import { paths } from '../../paths.ts'
import { type Operation, topic } from '../operation.ts'

export const accountOperations: readonly Operation[] = [
  ...topic('Sign-in', [
    {
      method: 'get',
      path: paths.signIn,
      id: 'showSignIn',
      summary: 'Describes how to sign in at the issuer',
      access: 'anyone',
      openBecause: 'The page to sign in shows it to people who have no token yet.',
      response: 'SignInOptionsResponse',
    },
    {
      method: 'post',
      path: paths.signIn,
      id: 'signIn',
      summary: 'Exchanges a single-use code for a bearer token',
      access: 'anyone',
      openBecause: 'The code is the credential, and failed attempts are limited.',
      request: 'SignInRequest',
      response: 'SignInResponse',
    },
    {
      method: 'delete',
      path: paths.signIn,
      id: 'signOut',
      summary: 'Revokes the token of the request',
      access: 'account',
      query: { everywhere: '`1` revokes all sign-ins of the caller' },
      response: 'Success',
    },
    {
      method: 'delete',
      path: '/api/people/{id}',
      id: 'removePerson',
      summary: 'Revokes all access of a person and stops their servers; for administrators',
      access: 'account',
      response: 'RemovePersonResponse',
    },
    {
      method: 'post',
      path: paths.signInCode,
      id: 'createSignInCode',
      summary: 'Creates a sign-in code for the local owner',
      access: 'owner',
      response: 'SignInCodeResponse',
    },
  ]),
  ...topic('API keys', [
    {
      method: 'get',
      path: paths.keys,
      id: 'listKeys',
      summary: 'Lists the API keys of the caller',
      access: 'account',
      query: { everyone: '`1` lists the keys of all people; for administrators' },
      response: 'KeysResponse',
    },
    {
      method: 'post',
      path: paths.keys,
      id: 'createKey',
      summary: 'Creates an API key; its token is in this response only',
      access: 'account',
      request: 'CreateKeyRequest',
      response: 'CreateKeyResponse',
    },
    {
      method: 'delete',
      path: `${paths.keys}/{id}`,
      id: 'revokeKey',
      summary: 'Revokes an API key',
      access: 'account',
      response: 'Success',
    },
  ]),
]
