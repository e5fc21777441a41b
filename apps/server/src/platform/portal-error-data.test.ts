import { refuse } from '@deviceportal/contract/refuse';
import { expect, test } from 'vitest';
import { portalErrorData } from './portal-error-data.ts';

test('a row that is spread into the facts of a refusal does not leave the server', () => {
  const row = { deviceId: 'd-1', owner: 'anna@example.com', serialNumber: 'SN-1' };
  const error = refuse('lock-held', { facts: { ...row, device: 'lobby' } });
  expect(portalErrorData(error, 'r-1')).toMatchObject({
    reason: 'lock-held',
    requestId: 'r-1',
    facts: { device: 'lobby', deviceId: 'd-1' },
  });
  expect(JSON.stringify(portalErrorData(error, 'r-1'))).not.toMatch(/anna|SN-1/);
});
