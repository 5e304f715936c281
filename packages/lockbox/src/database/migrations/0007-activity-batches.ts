/** Never edit: add a step. */
export const activityBatches: string = `
-- A row has the entries that were recorded together, the newest of them at "at". Both columns are null in rows of earlier
-- versions, which have one entry each.
alter table lockbox.activity add column oldest timestamptz;
alter table lockbox.activity add column entries integer check (entries > 0);
alter table lockbox.activity add check ((oldest is null) = (entries is null));
`
