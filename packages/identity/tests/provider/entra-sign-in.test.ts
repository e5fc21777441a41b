import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser, type BrowserPage } from './support/browser.ts';
import { CLIENT, openEntra, TENANT, type Entra } from './support/open-entra.ts';
import { openProvider, REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';

const ADA = {
  oid: '11111111-2222-3333-4444-555555555555',
  name: 'Ada Lovelace',
  preferred_username: 'ada@contoso.example',
  email: 'ada@contoso.example',
};

let entra: Entra;
let open: OpenProvider;

beforeAll(async () => {
  entra = await openEntra();
  const { authority } = entra;
  const contoso = { protocol: 'azure-ad', displayName: 'Contoso', ...CLIENT, authority } as const;
  open = await openProvider({
    limits: 'off',
    connections: [
      // Trusting addresses that Entra calls verified must change nothing: it calls none so.
      { ...contoso, identifier: 'entra', tenant: TENANT, trustsEmail: true },
      { ...contoso, identifier: 'elsewhere', tenant: 'fabrikam.example' },
    ],
  });
  entra.allow(`${open.host}/connections/azure-ad/entra/callback`);
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await entra[Symbol.asyncDispose]();
});

const startOf = (identifier: string): string =>
  `${open.host}/connections/azure-ad/${identifier}/start?app_id=${open.appId}`;

/** Types the name at the other side, and agrees there. */
async function walk(name: string): Promise<Readonly<Record<string, unknown>>> {
  const browser = createBrowser(REDIRECT_URI);
  let page: BrowserPage = await browser.open(startOf('entra'));
  for (let step = 0; step < 3 && page.url.href.startsWith(entra.authority); step += 1) {
    page = await browser.submit(page, '', { login: name, password: 'any' });
  }
  const [, message] = /postMessage\((\{.*\}),origin\)/.exec(page.body) ?? [];
  return JSON.parse(message ?? page.body) as Record<string, unknown>;
}

describe('Microsoft Entra ID', () => {
  test('users of the tenant sign in, and are identified by a permanent value', async () => {
    entra.people.set('ada', ADA);
    const first = await walk('ada');
    expect(open.failures).toEqual([]);
    expect(first).toMatchObject({
      code: 200,
      data: { email: ADA.email, name: ADA.name, registerSource: ['azure-ad:entra'] },
    });
    // She marries, and the application is registered anew there: another name, address and `sub`.
    entra.people.delete('ada');
    entra.people.set('king', {
      ...ADA,
      name: 'Ada King',
      preferred_username: 'king@contoso.example',
      email: 'king@contoso.example',
    });
    const again = await walk('king');
    expect(again['data']).toMatchObject({ id: (first['data'] as { id: string }).id });
    const { rows } = await open.pool.query('select * from identity.provider_identity');
    expect(rows).toMatchObject([{ connection_id: 'entra', user_id_in_idp: ADA.oid }]);
  });

  test('an address that Entra does not mark as verified does not take over an account', async () => {
    const email = 'owner@contoso.example';
    const owner = await open.makeUser({ email, password: 'Other password 1' });
    entra.people.set('owned', { ...ADA, oid: '22222222-2222-3333-4444-555555555555', email });
    expect(await walk('owned')).toMatchObject({ code: 2306 });
    expect((await open.context.users.find(owner.id))?.loginsCount).toBe(0);
  });

  test('without an address, or with the name of another user, a user keeps their own account', async () => {
    entra.people.set('ada', {
      ...ADA,
      oid: '33333333-2222-3333-4444-555555555555',
      email: 'x@contoso.example',
    });
    const ada = await walk('ada');
    entra.people.set('eve', {
      oid: '99999999-2222-3333-4444-555555555555',
      name: ADA.name,
      preferred_username: ADA.preferred_username,
    });
    const eve = await walk('eve');
    expect(eve).toMatchObject({ code: 200, data: { email: null } });
    expect((eve['data'] as { id: string }).id).not.toBe((ada['data'] as { id: string }).id);
  });

  test('a tenant other than that of the connection is rejected', async () => {
    const page = await createBrowser(REDIRECT_URI).open(startOf('elsewhere'));
    expect(JSON.parse(page.body)).toMatchObject({ code: 2304 });
    expect(open.failures.map(String)).not.toEqual([]);
  });
});
