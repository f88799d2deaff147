#!/bin/sh
# Runs once, when PostgreSQL creates its data folder. Makes the two roles of docs/backup.md with the
# passwords that are in the connection strings of the service, and their database.
set -eu
password_of() { sed 's|^[^:]*://[^:]*:\([^@]*\)@.*|\1|' "$1"; }
psql --set ON_ERROR_STOP=1 --username postgres \
  --set owner="$(password_of /run/secrets/database-owner-url)" \
  --set service="$(password_of /run/secrets/database-url)" <<'SQL'
create role notif_owner login password :'owner';
create role notif_service login password :'service';
create database notif owner notif_owner;
SQL
