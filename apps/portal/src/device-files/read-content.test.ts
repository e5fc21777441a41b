import { describe, expect, test } from 'vitest';
import { readContent } from './read-content.ts';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))));

describe('the content of a file', () => {
  test('is text in UTF-8, also if a part begins and ends within a character', () => {
    const whole = bytes('设备日志: started\n');
    expect(readContent(whole, false)).toEqual({
      kind: 'text',
      text: '设备日志: started\n',
      encoding: 'UTF-8',
    });
    const cut = Buffer.concat([whole.subarray(1), bytes('日').subarray(0, 2)]);
    expect(readContent(cut, true)).toMatchObject({
      text: '备日志: started\n',
      encoding: 'UTF-8',
    });
  });

  test('is named by its encoding', () => {
    expect(readContent(bytes([0xff, 0xfe, 0x41, 0, 0x42, 0]), false)).toMatchObject({
      text: 'AB',
      encoding: 'UTF-16LE',
    });
    expect(readContent(bytes('Stra', [0xdf], 'e'), false)).toMatchObject({
      text: 'Straße',
      encoding: 'Windows-1252',
    });
  });

  test('with control characters is binary, and a script in SVG is only text', () => {
    expect(readContent(bytes([0x7f], 'ELF', [2, 1, 1, 0]), false).kind).toBe('binary');
    expect(readContent(bytes('<svg><script>alert(1)</script></svg>'), false).kind).toBe('text');
  });

  test('is an image by its first bytes, not by its name', () => {
    const png = bytes([0x89], 'PNG\r\n', [0x1a], '\n');
    expect(readContent(png, true)).toEqual({ kind: 'image', type: 'image/png' });
    expect(readContent(bytes('<html>'), false).kind).toBe('text');
  });
});
