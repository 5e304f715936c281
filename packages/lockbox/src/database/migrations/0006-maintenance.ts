/** A role for what is done for all owners, and the rotation of keys. Never edit: add a step. */
export const maintenance: string = `
-- Any role could make the settings that these policies trusted.
drop function lockbox.withdraw_all(timestamptz);
drop policy withdrawal on lockbox.inbox;
drop function lockbox.audit_page(uuid, integer, integer);
drop policy check_of_chains on lockbox.audit;
drop policy list_all on lockbox.bearer_tokens;

create policy maintenance on lockbox.owner_keys using (current_user = 'lockbox_maintenance');
create policy maintenance on lockbox.user_secrets using (current_user = 'lockbox_maintenance');
create policy maintenance on lockbox.inbox using (current_user = 'lockbox_maintenance');
create policy maintenance on lockbox.activity using (current_user = 'lockbox_maintenance');
create policy maintenance on lockbox.records using (current_user = 'lockbox_maintenance');
create policy maintenance on lockbox.audit for select using (current_user = 'lockbox_maintenance');
create policy maintenance on lockbox.bearer_tokens for select using (current_user = 'lockbox_maintenance');

-- A data key of an earlier generation than key_rotation names is to be replaced. A rotation has finished when both
-- generations of key_rotation are the same.
alter table lockbox.owner_keys add column generation integer not null default 1;
create table lockbox.key_rotation (
  is_only boolean primary key default true check (is_only),
  generation integer not null default 1,
  finished_generation integer not null default 1,
  started_at timestamptz,
  finished_at timestamptz
);
insert into lockbox.key_rotation default values;

create index owner_keys_retired on lockbox.owner_keys (owner, key_id) where not is_current;
create index owner_keys_generation on lockbox.owner_keys (generation) where is_current;
create index user_secrets_key on lockbox.user_secrets (owner, key_id);
create index inbox_key on lockbox.inbox (owner, key_id);
create index inbox_answer_key on lockbox.inbox (owner, answer_key_id);
create index activity_key on lockbox.activity (owner, key_id);
create index records_key on lockbox.records (owner, key_id);
`
