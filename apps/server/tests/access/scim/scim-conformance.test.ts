import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { folderOf, lacksParts } from '../../../../../packages/aws/tests/parts/parts.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { ScimClient } from './scim-client.ts';
import { startTestServer } from '../../support/start-test-server.ts';

interface CheckResult {
  readonly status: string;
  readonly title: string;
  readonly reason: string;
}

/** An account here always has access or has none, so what a directory removes is the default. */
const ALWAYS_ACTIVE = "PATCH modify() did not remove attribute 'active'";

describe.skipIf(lacksParts('scim2-tester'))('scim2-tester', () => {
  test('finds no violation of RFC 7643 and RFC 7644', async () => {
    await using portal = await startTestServer();
    const admin = await AccessFixture.open(portal, 'admin');
    const { token } = await ScimClient.connect(portal.url, admin, { name: 'scim2-tester' });
    const { stdout } = await promisify(execFile)(
      join(folderOf('scim2-tester'), 'bin/python'),
      [join(import.meta.dirname, 'check_server.py'), `${portal.url}/scim/v2`, token],
      { maxBuffer: 16_777_216 },
    );
    const results = JSON.parse(stdout) as readonly CheckResult[];
    const faults = results.filter(({ status }) =>
      ['DEVIATION', 'ERROR', 'CRITICAL'].includes(status),
    );
    expect(faults.filter(({ reason }) => reason !== ALWAYS_ACTIVE)).toEqual([]);
    expect(results.length).toBeGreaterThan(20);
  });
});
