-- A message may ask for one of two to four `answers`. It is a confirmation with a choice: `must_confirm` is true until a
-- person closes the question at `closed_at`, and false from then on. A reminder has the answers of its original.
alter table notifications add column answers text[], add column closed_at timestamptz;
-- The place of the answer among `answers`, from 1 on, given at `confirmed_at`. Null: a confirmation without a choice.
-- Who has changed it gave the first one at `first_confirmed_at`: later reminders were not for them.
alter table receipts add column answer integer, add column first_confirmed_at timestamptz;
alter table planned_sends add column answers text[];
alter table send_rules add column answers text[];
alter table send_templates add column answers text[];
