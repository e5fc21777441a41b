#!/bin/bash
# Copies the primary at the first start, and then follows it.
set -euo pipefail
primary="host=database-primary user=standby password=$REPLICATION_PASSWORD sslmode=verify-full sslrootcert=/certificates/authority.crt"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # An interrupted copy is incomplete.
  find "$PGDATA" -mindepth 1 -delete
  pg_basebackup --dbname="$primary" --pgdata="$PGDATA" --write-recovery-conf --create-slot --slot=standby ||
    pg_basebackup --dbname="$primary" --pgdata="$PGDATA" --write-recovery-conf --slot=standby
  chown -R postgres "$PGDATA"
  chmod 700 "$PGDATA"
fi
exec docker-entrypoint.sh "$@"
