#!/bin/bash
# First start of the primary: the owner of the tables, the role of the servers, and the role of the standby.
set -euo pipefail
psql --set=ON_ERROR_STOP=1 --username=postgres \
  --set=owner="$OWNER_PASSWORD" --set=server="$DATABASE_PASSWORD" --set=standby="$REPLICATION_PASSWORD" <<'SQL'
create role deviceportal_owner login password :'owner';
create role deviceportal login password :'server';
create role standby login replication password :'standby';
create database deviceportal owner deviceportal_owner;
SQL
echo 'hostssl replication standby all scram-sha-256' >>"$PGDATA/pg_hba.conf"
