import { expect, test } from 'vitest';
import { dataSources } from '@deviceportal/contract/data-sources';
import { readConfig } from '../read-config.ts';

const read = (env: Readonly<Record<string, string>>) =>
  readConfig({ argv: [], env, workingDir: '/srv' }).dataSources;
const systemsOf = (source: string, env: Readonly<Record<string, string>>) =>
  read(env)
    .find((each) => each.source === source)
    ?.systems.map(({ product, name }) => `${product}: ${name}`);

test('every data source is embedded by default', () => {
  const found = read({});
  expect(found.map(({ source }) => source)).toEqual(dataSources);
  expect(found.filter(({ place, isUsed }) => place !== 'embedded' || !isUsed)).toEqual([]);
});

test('the database is named without its password, and with the secret that contains it', () => {
  const url = 'postgres://portal:hidden@db.example:5433/portal?sslmode=require';
  expect(systemsOf('database', { DEVICEPORTAL_DATABASE_URL: url })).toEqual([
    'PostgreSQL: db.example:5433/portal',
  ]);
  expect(
    systemsOf('database', {
      DEVICEPORTAL_DATABASE_HOST: 'db.example',
      DEVICEPORTAL_DATABASE_NAME: 'portal',
      DEVICEPORTAL_DATABASE_SECRET_ID: 'portal-database',
    }),
  ).toEqual(['PostgreSQL: db.example:5432/portal', 'AWS Secrets Manager: portal-database']);
});

test('messages are named without passwords and paths of webhooks', () => {
  expect(
    systemsOf('messages', {
      DEVICEPORTAL_MESSENGER: 'smtp',
      DEVICEPORTAL_SMTP_URL: 'smtps://user:hidden@mail.example:465',
      DEVICEPORTAL_MAIL_FROM: 'portal@example.com',
      DEVICEPORTAL_SMS_WEBHOOK_URL: 'https://sms.example/hooks/hidden',
      DEVICEPORTAL_SMS_WEBHOOK_SECRET: 'hidden-hidden-hidden-hidden-hidden',
    }),
  ).toEqual(['SMTP: mail.example:465', 'Webhook: https://sms.example']);
});

test('reports, queue, and tables are named', () => {
  const env = {
    DEVICEPORTAL_REPORT_LOCATION: 's3://reports/portal',
    DEVICEPORTAL_AUDIT_TRAIL_QUEUE: 'https://sqs.eu-central-1.amazonaws.com/123456789012/events',
    DEVICEPORTAL_GEOLOCATION_TABLE: 'places',
  };
  expect(systemsOf('report-location', env)).toEqual(['Amazon S3: s3://reports/portal']);
  expect(systemsOf('audit-trail-queue', env)).toEqual([
    `Amazon SQS: ${env.DEVICEPORTAL_AUDIT_TRAIL_QUEUE}`,
  ]);
  expect(systemsOf('geolocations', env)).toEqual(['Amazon DynamoDB: places']);
});

test('the external provider has no identity pool', () => {
  const found = read({ DEVICEPORTAL_PROVIDER_SET: 'authing' });
  const pool = found.find(({ source }) => source === 'identity-pool');
  expect(pool).toMatchObject({ place: 'embedded', isUsed: false });
});
