/** Never edit: add a step. */
export const activityBatches: string = `
-- A row has the entries that were recorded together, the newest of them at "at". In rows of earlier versions, where both
-- columns are null, the payload is that of one entry, and its id is that of the row.
alter table lockbox.activity add column oldest timestamptz;
alter table lockbox.activity add column entries integer check (entries > 0);
alter table lockbox.activity add check ((oldest is null) = (entries is null));
`
