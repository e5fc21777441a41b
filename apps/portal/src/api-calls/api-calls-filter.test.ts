import { describe, expect, it } from 'vitest';
import { errorCatalog } from '@deviceportal/contract/errors';
import { decodeCallsFilter } from './api-calls-filter.ts';
import en from './messages/en.json' with { type: 'json' };
import zh from './messages/zh-CN.json' with { type: 'json' };

describe('filter of API calls', () => {
  it('converts tokens to the filter of the request', () => {
    const { filter } = decodeCallsFilter(
      'path=devices.list;user=u-1;result=errors;slower=250;request=r-1',
    );
    expect(filter).toEqual({
      path: 'devices.list',
      userId: 'u-1',
      onlyErrors: true,
      errorCode: null,
      minDurationMs: 250,
      requestId: 'r-1',
    });
  });

  it('reads text without a property as a procedure name or a request ID', () => {
    expect(decodeCallsFilter('devices.list').filter.path).toBe('devices.list');
    expect(decodeCallsFilter('0199-abc').filter.requestId).toBe('0199-abc');
  });

  it('ignores invalid tokens and reports them', () => {
    const { filter, dropped } = decodeCallsFilter(
      'colour=red;result=maybe;result=4711;slower=soon',
    );
    expect(Object.values(filter).filter((value) => value !== null && value !== false)).toEqual([]);
    expect(dropped).toHaveLength(4);
  });

  it('filters by a single error of the catalog', () => {
    const { filter } = decodeCallsFilter('result=2003');
    expect(filter).toMatchObject({ onlyErrors: false, errorCode: 2003 });
  });

  it('every error of the catalog has a text in both languages', () => {
    const names = Object.keys(errorCatalog).map((name) => `apiCalls.code.${name}`);
    expect(names.filter((key) => !(key in en) || !(key in zh))).toEqual([]);
  });
});
