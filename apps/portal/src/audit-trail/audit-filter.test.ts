import { describe, expect, it } from 'vitest';
import { decodeAuditFilter } from './audit-filter.ts';

const empty = { q: '', device: '', actor: '', ref: '' };
const id = '0199a1b2-0000-7000-8000-000000000001';

describe('audit filter in the URL', () => {
  it('converts tokens to the filter of the request', () => {
    const { filter, device } = decodeAuditFilter({
      ...empty,
      q: `device=SN1;event=command.*,device.connected;run=${id};case=${id};actorKind=user;result=failure;address=192.0.2.1;disk`,
    });
    expect(device).toBe('SN1');
    expect(filter).toEqual({
      actorId: null,
      actorKind: 'user',
      types: ['command.*', 'device.connected'],
      requestId: null,
      runId: id,
      caseId: id,
      address: '192.0.2.1',
      result: 'failure',
      text: 'disk',
    });
  });

  it('reads short forms in a link as tokens', () => {
    const { query } = decodeAuditFilter({ ...empty, device: 'SN1', ref: 'r-1' });
    expect(query.tokens.map(({ key }) => key)).toEqual(['device', 'request']);
  });

  it('ignores invalid tokens and reports them', () => {
    const { filter, dropped } = decodeAuditFilter({
      ...empty,
      q: 'run=abc;actorKind=robot;result=maybe;colour=red',
    });
    expect(filter.runId).toBeNull();
    expect(dropped).toHaveLength(4);
  });

  it('uses the later of two values for one property', () => {
    expect(decodeAuditFilter({ ...empty, q: 'device=SN1;device=SN2' }).device).toBe('SN2');
  });
});
