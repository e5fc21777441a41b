#!/bin/sh
# Creates a private certificate authority in a folder, once, and a certificate that it issues:
#   create-certificate.sh FOLDER COMMON_NAME [HOST ...]
# Without hosts, the certificate is for a client only. Nodes of a cluster are clients of each other. Existing files are kept.
set -eu
folder=$1
name=$2
shift 2
umask 077
mkdir -p "$folder"
cd "$folder"
key() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }

if [ ! -f authority.crt ]; then
  key authority.key
  openssl req -x509 -new -key authority.key -days 3650 -subj "/CN=Device Portal infrastructure" \
    -addext basicConstraints=critical,CA:TRUE,pathlen:0 -addext keyUsage=critical,keyCertSign,cRLSign \
    -out authority.crt
fi
[ ! -f "$name.crt" ] || exit 0

usage=clientAuth
hosts=
for host in "$@"; do
  usage=serverAuth,clientAuth
  case $host in
    *[!0-9.]*) hosts="$hosts,DNS:$host" ;;
    *) hosts="$hosts,IP:$host" ;;
  esac
done
key "$name.key"
{
  echo basicConstraints=critical,CA:FALSE
  echo keyUsage=critical,digitalSignature
  echo "extendedKeyUsage=$usage"
  [ -z "$hosts" ] || echo "subjectAltName=${hosts#,}"
} >"$name.ext"
openssl req -new -key "$name.key" -subj "/CN=$name" |
  openssl x509 -req -CA authority.crt -CAkey authority.key -CAcreateserial -days 825 \
    -extfile "$name.ext" -out "$name.new" 2>/dev/null
rm "$name.ext"
mv "$name.new" "$name.crt"
chmod 644 authority.crt "$name.crt"
