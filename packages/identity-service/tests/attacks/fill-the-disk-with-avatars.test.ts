import { expect, test } from 'vitest';
import { openProvider } from '../provider/support/open-provider.ts';

const QUARTER_MS = 15 * 60_000;
/** The least that is taken for a picture. */
const GIF = Buffer.from('R0lGODlhAQABAAAAACw=', 'base64');

test('[avatars-1] a stranger does not fill the disk with pictures that nobody wears', async () => {
  await using idp = await openProvider();
  const upload = async (): Promise<number> => {
    const form = new FormData();
    form.set('file', new Blob([GIF], { type: 'image/gif' }), 'a.gif');
    const reply = await fetch(`${idp.host}/api/v2/upload?folder=avatar`, {
      method: 'POST',
      body: form,
    });
    return ((await reply.json()) as { code: number }).code;
  };
  const codes: number[] = [];
  for (let quarter = 0; quarter < 5; quarter += 1) {
    codes.push(...(await Promise.all(Array.from({ length: 60 }, upload))));
    idp.clock.advance(QUARTER_MS + 1);
  }
  expect(codes.filter((code) => code === 200)).toHaveLength(200);
  expect(codes.filter((code) => code === 429)).toHaveLength(100);
  idp.clock.advance(24 * 3_600_000);
  expect(await upload()).toBe(200);
}, 30_000);
