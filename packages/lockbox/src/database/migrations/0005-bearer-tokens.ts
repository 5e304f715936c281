/** Never edit: add a step. */
export const bearerTokens: string = `
-- API keys and sign-ins. digest is the SHA-256 of the token. A row of kind 'revoked' refuses a token of an issuer.
create table lockbox.bearer_tokens (
  id text primary key,
  owner text not null check (owner <> ''),
  kind text not null check (kind in ('key', 'sign-in', 'revoked')),
  digest bytea not null check (length(digest) = 32),
  name text not null,
  role text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz
);
create index bearer_tokens_of_owner on lockbox.bearer_tokens (owner, created_at);

alter table lockbox.bearer_tokens enable row level security;
alter table lockbox.bearer_tokens force row level security;
create policy own_rows on lockbox.bearer_tokens
  using (owner = current_setting('lockbox.owner', true))
  with check (owner = current_setting('lockbox.owner', true));

-- A token is looked up before its owner is known: only the row with the id in the token is visible.
create policy presented on lockbox.bearer_tokens for select
  using (id = current_setting('lockbox.presented_token', true));

-- Administrators see the tokens of everyone.
create policy list_all on lockbox.bearer_tokens for select
  using (current_setting('lockbox.task', true) = 'list_all_tokens');
`
