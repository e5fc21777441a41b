import { JournalIngest } from '../../src/gateway/journal/ingest-journal.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { testConnection } from '../support/brokers/test-connection.ts';
import { quietLogger } from '../support/gateway-fixture.ts';
import { testDeviceKeys } from '../support/run-signing.ts';

/** The journal of a gateway without a broker. It accepts a gap at the second delivery. */
export function openIngest(database: Database): JournalIngest {
  return new JournalIngest(
    {
      database,
      changes: createLocalChangeFeed(() => {}),
      transport: {
        ownsConnections: false,
        listeningMs: () => Number.POSITIVE_INFINITY,
        start: () => Promise.resolve(),
        publish: () => {},
        disconnect: () => {},
        [Symbol.asyncDispose]: () => Promise.resolve(),
      },
      authority: {
        authorities: '',
        isRotating: false,
        sign: () => Promise.reject(new Error('not expected')),
      },
      deviceKeys: testDeviceKeys(),
      connection: testConnection(),
      logger: quietLogger,
      clock: () => new Date(),
    },
    { refusals: { record() {} }, overflow: { note() {} } },
    { gapPatienceMs: 0 },
  );
}
