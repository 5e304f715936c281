/** Grants, pins, trust, inputs and credentials as sealed rows, and the leases of credentials. Never edit: add a step. */
export const records: string = `
-- id is a digest of the owner, the kind and the names of the value. version is 1 except for values that are compared and swapped.
create table lockbox.records (
  owner text not null check (owner <> ''),
  kind text not null,
  id text not null,
  version integer not null check (version > 0),
  key_id uuid not null,
  payload bytea not null,
  updated_at timestamptz not null,
  primary key (owner, kind, id),
  foreign key (owner, key_id) references lockbox.owner_keys (owner, key_id)
);

-- fence is counted up by every new holder and never reused, so the row stays.
create table lockbox.leases (
  owner text not null check (owner <> ''),
  id text not null,
  fence integer not null check (fence > 0),
  expires_at timestamptz not null,
  primary key (owner, id)
);

alter table lockbox.records enable row level security;
alter table lockbox.records force row level security;
create policy own_rows on lockbox.records
  using (owner = current_setting('lockbox.owner', true))
  with check (owner = current_setting('lockbox.owner', true));

alter table lockbox.leases enable row level security;
alter table lockbox.leases force row level security;
create policy own_rows on lockbox.leases
  using (owner = current_setting('lockbox.owner', true))
  with check (owner = current_setting('lockbox.owner', true));
`
