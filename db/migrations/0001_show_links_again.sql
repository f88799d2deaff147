-- With `token_salt` AUTH_SECRET derives the token of a link, so that it can be shown again. `shown_to` are the accounts
-- that had an invitation shown again. Who had a join link shown is not stored: people approve each request.
alter table invitations add column token_salt bytea, add column shown_to integer[] not null default '{}';
alter table join_links add column token_salt bytea;
