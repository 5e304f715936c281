/** SQL in a module, not a file beside it, so that compiling is all it takes to publish it. Never edit: add a step. */
export const sealedStore: string = `
create schema if not exists lockbox;

create table lockbox.migrations (
  number integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
);

-- Tells at opening whether the key-encryption key is the one that wrapped the data keys.
create table lockbox.key_check (
  is_only boolean primary key default true check (is_only),
  wrapping_key_id text not null,
  wrapped bytea not null
);

-- key_id names a data key; wrapping_key_id names the key-encryption key that wraps it.
create table lockbox.owner_keys (
  owner text not null check (owner <> ''),
  key_id uuid not null,
  wrapping_key_id text not null,
  wrapped_key bytea not null,
  is_current boolean not null,
  created_at timestamptz not null,
  primary key (owner, key_id)
);
create unique index owner_keys_current on lockbox.owner_keys (owner) where is_current;

create table lockbox.user_secrets (
  id uuid primary key,
  owner text not null check (owner <> ''),
  namespace text not null,
  name text not null,
  version integer not null check (version > 0),
  format smallint not null,
  ciphertext bytea not null,
  iv bytea not null,
  auth_tag bytea not null,
  key_id uuid not null,
  is_current boolean not null,
  created_at timestamptz not null,
  created_by text not null,
  last_used_at timestamptz,
  deleted_at timestamptz,
  unique (owner, namespace, name, version),
  foreign key (owner, key_id) references lockbox.owner_keys (owner, key_id)
);
create unique index user_secrets_current on lockbox.user_secrets (owner, namespace, name) where is_current;

-- payload and answer hold format, IV, tag and ciphertext in one run of bytes.
create table lockbox.inbox (
  owner text not null check (owner <> ''),
  id text not null,
  state text not null check (state in ('open', 'answered', 'withdrawn')),
  asked_at timestamptz not null,
  closed_at timestamptz,
  key_id uuid not null,
  payload bytea not null,
  answer_key_id uuid,
  answer bytea,
  primary key (owner, id),
  foreign key (owner, key_id) references lockbox.owner_keys (owner, key_id),
  foreign key (owner, answer_key_id) references lockbox.owner_keys (owner, key_id),
  check ((state = 'open') = (closed_at is null)),
  check ((state = 'answered') = (answer is not null)),
  check ((answer is null) = (answer_key_id is null))
);
create index inbox_open on lockbox.inbox (owner, asked_at) where state = 'open';

create table lockbox.activity (
  owner text not null check (owner <> ''),
  id text not null,
  at timestamptz not null,
  recorded bigint generated always as identity,
  key_id uuid not null,
  payload bytea not null,
  primary key (owner, id),
  foreign key (owner, key_id) references lockbox.owner_keys (owner, key_id)
);
create index activity_newest on lockbox.activity (owner, at desc, recorded desc);

-- Forced, so that it binds the tables' own owner too: a query that forgets its owner sees nothing.
alter table lockbox.owner_keys enable row level security;
alter table lockbox.owner_keys force row level security;
create policy own_rows on lockbox.owner_keys
  using (owner = current_setting('lockbox.owner', true))
  with check (owner = current_setting('lockbox.owner', true));

alter table lockbox.user_secrets enable row level security;
alter table lockbox.user_secrets force row level security;
create policy own_rows on lockbox.user_secrets
  using (owner = current_setting('lockbox.owner', true))
  with check (owner = current_setting('lockbox.owner', true));

alter table lockbox.inbox enable row level security;
alter table lockbox.inbox force row level security;
create policy own_rows on lockbox.inbox
  using (owner = current_setting('lockbox.owner', true))
  with check (owner = current_setting('lockbox.owner', true));

alter table lockbox.activity enable row level security;
alter table lockbox.activity force row level security;
create policy own_rows on lockbox.activity
  using (owner = current_setting('lockbox.owner', true))
  with check (owner = current_setting('lockbox.owner', true));

-- The one thing done for all owners at once. Only the function makes the setting, and takes it back.
create policy withdrawal on lockbox.inbox using (current_setting('lockbox.task', true) = 'withdraw_all');
create function lockbox.withdraw_all(at timestamptz) returns integer language plpgsql as $function$
declare withdrawn integer;
begin
  perform set_config('lockbox.task', 'withdraw_all', true);
  update lockbox.inbox set state = 'withdrawn', closed_at = at where state = 'open';
  get diagnostics withdrawn = row_count;
  perform set_config('lockbox.task', '', true);
  return withdrawn;
end
$function$;
`
