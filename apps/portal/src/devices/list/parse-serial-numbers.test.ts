import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSerialNumbers } from './parse-serial-numbers.ts';

describe('a pasted list of serial numbers', () => {
  it('accepts every usual separator and removes duplicates', () => {
    const parsed = parseSerialNumbers('sn1001, SN1002;SN1003\nSN1001\tSN1004 "SN1005"');
    expect(parsed.serialNumbers).toEqual(['SN1001', 'SN1002', 'SN1003', 'SN1004', 'SN1005']);
    expect(parsed.duplicates).toBe(1);
    expect(parsed.malformed).toEqual([]);
  });

  it('accepts full-width input of Chinese input methods', () => {
    expect(parseSerialNumbers('ＳＮ１００１，ＳＮ１００２、sn1003').serialNumbers).toEqual([
      'SN1001',
      'SN1002',
      'SN1003',
    ]);
  });

  it('reports entries that cannot be serial numbers', () => {
    const parsed = parseSerialNumbers('SN1001 ??? x');
    expect(parsed.serialNumbers).toEqual(['SN1001']);
    expect(parsed.malformed).toEqual(['???', 'x']);
  });

  it('assigns every entry to exactly one result', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[A-Za-z0-9?_-]{1,12}$/)), (pieces) => {
        const parsed = parseSerialNumbers(pieces.join('\n'));
        const malformed = pieces.filter((piece) => parsed.malformed.includes(piece)).length;
        expect(parsed.serialNumbers.length + parsed.duplicates + malformed).toBe(pieces.length);
      }),
    );
  });
});
