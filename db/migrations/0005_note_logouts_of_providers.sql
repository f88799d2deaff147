-- When a provider last said that somebody signed out there (back-channel logout).
create table provider_logouts (
  issuer text primary key,
  received_at timestamptz not null
);
