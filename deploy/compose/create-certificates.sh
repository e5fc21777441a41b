#!/bin/sh
# Creates the certificates of the database and of the gateways, readable only by the accounts of their containers.
set -eu
sh /create-certificate.sh /certificates database database-primary database-standby
sh /create-certificate.sh /certificates deviceportal-gateway
chmod 755 /certificates
# The group of PostgreSQL, and the account of the servers.
chown 0:999 /certificates/database.key
chmod 640 /certificates/database.key
chown 1000 /certificates/deviceportal-gateway.key
