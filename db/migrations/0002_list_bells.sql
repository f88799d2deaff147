-- A bell in another site's page that a person connected to their session. A new one of the same page replaces it.
create table bells (
  company_id integer not null references companies,
  id integer generated always as identity,
  session_id integer not null,
  origin text not null,
  address text not null,
  client text not null,
  opened_at timestamptz not null default now(),
  primary key (company_id, id),
  unique (company_id, session_id, origin),
  foreign key (company_id, session_id) references sessions on delete cascade
);
