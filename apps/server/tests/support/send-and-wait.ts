import { openPersonalKeys } from '../../src/personal-data/keys/personal-keys-of.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { testPersonalDataKey } from './database/test-personal-data-key.ts';
import { openMessageFixture } from './message-fixture.ts';

/**
 * A sender to be killed: `node send-and-wait.ts DATABASE_URL MAIL_PORT ATTEMPT_MS KIND`. It does not exit by itself.
 */
const [databaseUrl = '', mailPort = '', attemptMs = '', kind = ''] = process.argv.slice(2);
const database = openDatabase({ url: databaseUrl, maxConnections: 4 });
openPersonalKeys(database, testPersonalDataKey);
const setup = await openMessageFixture({
  database,
  mailPort: Number(mailPort),
  attemptMs: Number(attemptMs),
});
const reader = { to: 'ada@example.com', channel: 'email' } as const;
const now = Date.now();
void setup.messenger.send(
  kind === 'code'
    ? {
        ...reader,
        kind: 'code',
        purpose: 'login',
        code: '123456',
        sentAt: new Date(now),
        expiresAt: new Date(now + 180_000),
      }
    : { ...reader, kind: 'welcome', username: 'ada', portalUrl: 'https://portal.example.com' },
);
setInterval(() => {}, 60_000);
