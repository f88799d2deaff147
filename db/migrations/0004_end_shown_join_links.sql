-- `shown_to` are the accounts that had a join link shown again. It ends with the rights of each of them.
alter table join_links add column shown_to integer[] not null default '{}';
