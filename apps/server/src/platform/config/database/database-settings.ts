import { choice, integer, optionalText, optionalUrl } from '../setting.ts';

const group = 'Data sources';

/** The relational database of docs/design/portal.md, section 3. */
export const databaseSettings = {
  databaseUrl: optionalUrl(
    {
      env: 'DEVICEPORTAL_DATABASE_URL',
      group,
      secret: true,
      description: 'External PostgreSQL 15 or newer. Default: the embedded database.',
    },
    ['postgres:', 'postgresql:'],
  ),
  databaseOwnerUrl: optionalUrl(
    {
      env: 'DEVICEPORTAL_DATABASE_OWNER_URL',
      group,
      secret: true,
      description:
        'The same database with the role that owns its tables. Used only for migrations and `npm run restore`. The role in `DEVICEPORTAL_DATABASE_URL` then needs no privileges of its own and cannot change the audit trail.',
    },
    ['postgres:', 'postgresql:'],
  ),
  earlierPostgres: optionalText({
    env: 'DEVICEPORTAL_EARLIER_POSTGRES',
    group,
    description:
      'Folder of the programs of an earlier major version of PostgreSQL, such as `/usr/lib/postgresql/17/bin`. Needed once, to upgrade an embedded database that it made.',
  }),
  databaseConnector: choice(
    {
      env: 'DEVICEPORTAL_DATABASE_CONNECTOR',
      group,
      description:
        'Database connector of this environment: `embedded`, `url` (by `DEVICEPORTAL_DATABASE_URL`), `secret` (host, database name, and the ID of a secret with user and password), or `iam` (host, database name, and user, with tokens of AWS IAM as passwords). `secret` and `iam` require the package `aws`. Default: derived from the other settings.',
    },
    ['embedded', 'url', 'secret', 'iam'],
    undefined,
  ),
  databaseHost: optionalText({
    env: 'DEVICEPORTAL_DATABASE_HOST',
    group,
    description: 'Database host, for the connectors `secret` and `iam`.',
  }),
  databasePort: integer(
    {
      env: 'DEVICEPORTAL_DATABASE_PORT',
      group,
      description: 'Database port, for the connectors `secret` and `iam`.',
    },
    { min: 1, max: 65_535, default: 5_432 },
  ),
  databaseName: optionalText({
    env: 'DEVICEPORTAL_DATABASE_NAME',
    group,
    description: 'Database name, for the connectors `secret` and `iam`.',
  }),
  databaseSecretId: optionalText({
    env: 'DEVICEPORTAL_DATABASE_SECRET_ID',
    group,
    description:
      'Name or ARN of the secret in AWS Secrets Manager with `username` and `password`, for the connector `secret`. It can be rotated while the server runs.',
  }),
  databaseOwnerSecretId: optionalText({
    env: 'DEVICEPORTAL_DATABASE_OWNER_SECRET_ID',
    group,
    description:
      'Secret of the role that owns the tables, for the connector `secret`, as `DEVICEPORTAL_DATABASE_OWNER_URL` for the connector `url`.',
  }),
  databaseUser: optionalText({
    env: 'DEVICEPORTAL_DATABASE_USER',
    group,
    description: 'Role of the server, for the connector `iam`.',
  }),
  databaseOwnerUser: optionalText({
    env: 'DEVICEPORTAL_DATABASE_OWNER_USER',
    group,
    description:
      'Role that owns the tables, for the connector `iam`, as `DEVICEPORTAL_DATABASE_OWNER_URL` for the connector `url`.',
  }),
  databaseCaFile: optionalText({
    env: 'DEVICEPORTAL_DATABASE_CA_FILE',
    group,
    description:
      'PEM certificate authorities of the external database, for example those of Amazon RDS. Connections then always use TLS. Default: the authorities that Node.js trusts.',
  }),
  databaseSecretEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_DATABASE_SECRET_ENDPOINT',
      group,
      description:
        'Endpoint of AWS Secrets Manager for `DEVICEPORTAL_DATABASE_SECRET_ID`. Default: the endpoint of the region.',
    },
    ['http:', 'https:'],
  ),
};
