import type { ApiCall } from '@deviceportal/contract/api-calls';
import { newId } from '@deviceportal/contract/ids';

/** A successful query without a caller, with the fields under test. */
export const apiCall = (wanted: Partial<ApiCall>): ApiCall => ({
  id: newId(),
  at: '2026-11-01T00:00:00.000Z',
  userId: null,
  username: null,
  address: '192.0.2.1',
  kind: 'query',
  path: 'session.get',
  batchSize: 1,
  durationMs: 1,
  status: 200,
  errorCode: null,
  refusal: null,
  apiToken: null,
  requestId: 'request-1',
  input: null,
  ...wanted,
});
