import { describe, expect, it } from 'vitest';
import { decodeAuditFilter } from './audit-filter.ts';

const empty = { q: '', device: '', actor: '', ref: '' };
const id = '0199a1b2-0000-7000-8000-000000000001';

describe('audit filter of the URL', () => {
  it('[audit-filter-1] tokens become the filter the server is asked for', () => {
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

  it('[audit-filter-2] short forms of a link are tokens like all others', () => {
    const { query } = decodeAuditFilter({ ...empty, device: 'SN1', ref: 'r-1' });
    expect(query.tokens.map(({ key }) => key)).toEqual(['device', 'request']);
  });

  it('[audit-filter-3] what means nothing is left out and told', () => {
    const { filter, dropped } = decodeAuditFilter({
      ...empty,
      q: 'run=abc;actorKind=robot;result=maybe;colour=red',
    });
    expect(filter.runId).toBeNull();
    expect(dropped).toHaveLength(4);
  });

  it('[audit-filter-4] of two values for one thing the later counts', () => {
    expect(decodeAuditFilter({ ...empty, q: 'device=SN1;device=SN2' }).device).toBe('SN2');
  });
});
