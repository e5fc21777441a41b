import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder into which the scripts in `.ci/parts` install. */
const cache = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'device-portal',
  'parts',
);

/** The programs that they install, as their folders are called. */
const folders = {
  'DynamoDB Local': 'dynamodb-local-2.6.1',
  'cfn-lint': 'cfn-lint-1.58.0',
  'openapi-python-client': 'openapi-python-client-0.29.1',
  ElasticMQ: 'elasticmq-1.7.1',
  NATS: 'nats-server-2.15.2',
  moto: 'moto-5.2.5',
  RMQTT: 'rmqtt-0.24.0',
  Trino: 'trino-476',
  'scim2-tester': 'scim2-tester-0.5.2',
  versitygw: 'versitygw-1.8.0',
} as const;

export type Part = keyof typeof folders;

const clients = join(import.meta.dirname, '../../node_modules/@aws-sdk/client-s3');

export const folderOf = (part: Part): string => join(cache, folders[part]);

/**
 * Whether the package `aws` or one of these programs is missing. Tests that need them are then left
 * out, with one line; in CI, it is `.ci/parts/aws` that fails if it cannot install one.
 */
export function lacks(...parts: readonly Part[]): boolean {
  const clientsMissing = existsSync(clients) ? [] : ['the package aws (npm run add -- aws)'];
  return isSkipped([...clientsMissing, ...missingOf(parts)]);
}

/** Like `lacks`, for tests that do not use the package `aws`. */
export const lacksParts = (...parts: readonly Part[]): boolean => isSkipped(missingOf(parts));

const missingOf = (parts: readonly Part[]): string[] =>
  parts.filter((part) => !existsSync(folderOf(part))).map((part) => `${part} (.ci/parts/aws)`);

function isSkipped(missing: readonly string[]): boolean {
  if (missing.length === 0) return false;
  process.stdout.write(`Skipped: tests that need ${missing.join(' and ')}.\n`);
  return true;
}
