#!/bin/sh
# Starts Mosquitto with the certificates that the portal has created; before that, it ends with an error.
set -eu
folder=/etc/deviceportal/broker
mkdir -p "$folder"
cat /portal/certificates/device-authorities.crt /certificates/authority.crt >"$folder/authorities.crt"
cp /portal/certificates/server.pem /broker/acl "$folder"
chown -R mosquitto "$folder"
exec mosquitto -c /broker/mosquitto.conf
