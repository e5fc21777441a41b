import { afterEach, expect, it, vi } from 'vitest';
import { tokenCookies } from './token-cookies.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it.each([
  ['https:', true],
  ['http:', false],
])(
  'over %s, the cookie of a token is valid for a year and only sent to this site',
  async (protocol, secure) => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
    const written: string[] = [];
    vi.stubGlobal('document', {
      set cookie(text: string) {
        written.push(text);
      },
    });
    await tokenCookies({ protocol }).setItem('idToken', 'abc');
    const [value, ...attributes] = (written[0] ?? '').split('; ');
    expect(value).toBe('idToken=abc');
    expect(attributes).toContain('path=/');
    expect(attributes).toContain('sameSite=strict');
    expect(attributes).toContain('expires=Fri, 01 Jan 2027 00:00:00 GMT');
    expect(attributes.includes('secure')).toBe(secure);
  },
);
