#!/bin/sh
# Creates the certificates of the database, the gateways, and the store, readable only by the accounts of their
# containers, and the bucket, which is a folder of the store.
set -eu
sh /create-certificate.sh /certificates database database-primary database-standby
sh /create-certificate.sh /certificates deviceportal-gateway
sh /create-certificate.sh /certificates files files
mkdir -p /files/deviceportal
chmod 755 /certificates
# The group of PostgreSQL, and the account of the servers.
chown 0:999 /certificates/database.key
chmod 640 /certificates/database.key
chown 1000 /certificates/deviceportal-gateway.key
