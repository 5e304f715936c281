/** The append-only audit: a chain of authenticated entries per writer. Never edit: add a step. */
export const audit: string = `
-- A writer is one opening of the lockbox; it numbers its entries from 1. mac covers the row and the mac of the entry before.
create table lockbox.audit (
  writer uuid not null,
  number integer not null check (number > 0),
  owner text not null check (owner <> ''),
  at timestamptz(3) not null,
  key_owner text not null default 'lockbox:audit' check (key_owner = 'lockbox:audit'),
  key_id uuid not null,
  payload bytea not null,
  mac bytea not null,
  primary key (writer, number),
  foreign key (key_owner, key_id) references lockbox.owner_keys (owner, key_id)
);
create index audit_newest on lockbox.audit (owner, at desc, number desc);

-- No policy for updates and deletes: also the table's owner cannot change an entry.
alter table lockbox.audit enable row level security;
alter table lockbox.audit force row level security;
create policy own_entries on lockbox.audit for select using (owner = current_setting('lockbox.owner', true));
create policy new_entries on lockbox.audit for insert
  with check (owner = current_setting('lockbox.owner', true));

-- A chain has entries of all owners, so its check reads them all. Only the function makes the setting, and takes it back.
create policy check_of_chains on lockbox.audit for select
  using (current_setting('lockbox.task', true) = 'verify_audit');
create function lockbox.audit_page(after_writer uuid, after_number integer, size integer)
returns setof lockbox.audit language plpgsql as $function$
begin
  perform set_config('lockbox.task', 'verify_audit', true);
  return query select * from lockbox.audit
    where (writer, number) > (after_writer, after_number) order by writer, number limit size;
  perform set_config('lockbox.task', '', true);
end
$function$;
`
