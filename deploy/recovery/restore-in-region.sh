#!/bin/sh
# Restores an installation with an external database in another region, from the newest scheduled backup.
#
#   restore-in-region.sh FOLDER IDENTITY_FILE [OPTIONS OF npm run restore]
#
# FOLDER is new: the backup and its files need room there. The environment has the settings of the servers in the new
# region: DEVICEPORTAL_BACKUP_LOCATION (which survived), an empty database with DEVICEPORTAL_DATABASE_*, the replicated
# DEVICEPORTAL_SECRETS, and DEVICEPORTAL_FILES. Run again after an interruption, with another FOLDER and an empty database.
# Guide: docs/guides/aws-deployment.md
set -eu

folder=${1:?FOLDER is missing}
identity=$(realpath "${2:?IDENTITY_FILE is missing}")
shift 2
: "${DEVICEPORTAL_BACKUP_LOCATION:?must be set}" "${DEVICEPORTAL_FILES:?must be set}"
cli=apps/server/src/cli

step() { printf '\n%s %s\n' "$(date -u +%H:%M:%S)" "$1"; }

if [ -e "$folder" ]; then
  echo "$folder exists already. Choose a new folder." >&2
  exit 1
fi
mkdir -m 700 "$folder"
folder=$(realpath "$folder")
cd "$(dirname "$0")/../.."

step 'Copying the newest backup …'
node_modules/.bin/node $cli/admin-command.ts fetch-backup latest "$folder/backup" --data-dir "$folder/data"

step 'Restoring and verifying the database …'
node_modules/.bin/node $cli/restore-command.ts "$folder/backup" --identity "$identity" "$@" --data-dir "$folder/data"

case $DEVICEPORTAL_FILES in
  s3://*)
    step "Copying files to $DEVICEPORTAL_FILES …"
    node_modules/.bin/node $cli/admin-command.ts copy-files directory "$DEVICEPORTAL_FILES" --data-dir "$folder/data"
    ;;
esac

step 'Verifying the audit trail …'
node_modules/.bin/node $cli/verify-audit-command.ts --data-dir "$folder/data"

step 'Restored. Start the servers, and change the DNS record of the host name last.'
echo "Then delete $folder: it contains files of users."
