import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import Fastify, { type FastifyInstance } from 'fastify';
import { strFromU8, unzipSync } from 'fflate';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { redactionSchema } from '@deviceportal/contract/reports';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { recordAudit, actorOf } from '../../src/audit-trail/record-audit.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { createUrlSigner } from '../../src/platform/files/url-signer.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { endShare, renewShare } from '../../src/reports/sharing/renew-share.ts';
import { listShares } from '../../src/reports/sharing/read-shares.ts';
import { previewShare, shareReport } from '../../src/reports/sharing/share-report.ts';
import {
  addSharedReportRoutes,
  signShareUrl,
} from '../../src/reports/sharing/shared-report-routes.ts';
import { origin, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { createReportFixture, type ReportFixture } from '../support/report-fixture.ts';
import { withOpenedNames } from '../support/audit/with-opened-names.ts';

let test: TestDatabase;
let fixture: ReportFixture;
let app: FastifyInstance;
let support: Viewer;
let reportId: string;
let now = new Date();
const redaction = redactionSchema.parse({});
const caller = () => ({ viewer: support, ...origin });

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createReportFixture(test.database);
  const signer = createUrlSigner(randomBytes(32), () => now);
  Object.assign(fixture.deps, {
    clock: () => now,
    signShareUrl: (id: string, seconds: number) =>
      signShareUrl({ signer, publicUrl: 'http://portal.example' }, id, seconds),
  });
  app = Fastify();
  const { database, userReportFiles } = fixture.deps;
  addSharedReportRoutes(app, { database, userReportFiles, signer, clock: () => now });
  support = viewerWith('Support');
  reportId = await madeReport();
});
afterAll(async () => {
  await app.close();
  await fixture[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});

/** On Maria, with text and actions of other people. */
async function madeReport(): Promise<string> {
  await fixture.person('Ana Kovač', []);
  const maria = await fixture.person('Maria Gómez', [{ serialNumber: 'SNSHARED1' }]);
  const [deviceId = ''] = maria.devices;
  await fixture.signUp(support);
  await inTransaction(test.database, (tx) =>
    recordAudit(tx, [
      {
        type: 'device.note-added',
        actor: actorOf(support, origin),
        deviceId,
        data: {
          text: 'Neighbour Ana Kovač (ana.kovač@customer.example) says 192.0.2.44 has password=hunter2',
          token: 'abcdef0123456789',
        },
      },
    ]),
  );
  await test.database.orm.execute(sql`
    insert into geolocation (device_id, at, latitude, longitude, accuracy_meters, source, country)
    values (${deviceId}, now() - interval '1 hour', 52.51234, 13.41234, 12, 'gps', 'DE')`);
  now = new Date();
  const { row } = await fixture.make(support, { personId: maria.id });
  return row.id;
}

const hidden = [
  /Kova/i,
  /customer\.example/,
  /hunter2/,
  /abcdef0123456789/,
  /192\.0\.2\./,
  /support@deviceportal/,
  /maria\.g/i,
  /13\.41|52\.51/,
];

async function sharedTexts(id: string): Promise<string[]> {
  const read = (kind: 'json' | 'csv' | 'pdf' | 'page'): Promise<Buffer> =>
    readFile(fixture.pathOf(id, kind));
  const pdf = await getDocumentProxy(new Uint8Array(await read('pdf')));
  const { text } = await extractText(pdf, { mergePages: true });
  const tables = Object.values(unzipSync(await read('csv'))).map((table) => strFromU8(table));
  return [(await read('json')).toString(), (await read('page')).toString(), text, ...tables];
}

const open = (url: string, over: Record<string, string> = {}) => {
  const { pathname, search } = new URL(url);
  return app.inject({ method: 'GET', url: `${pathname}${search}`, headers: over });
};

describe('a shared report', () => {
  it('contains no secret and no other person in any of its files, and its subject by name', async () => {
    const link = await shareReport(fixture.deps, caller(), {
      ...{ id: reportId, redaction, validSeconds: 3_600 },
    });
    const texts = await sharedTexts(link.id);
    for (const text of texts) for (const pattern of hidden) expect(text).not.toMatch(pattern);
    expect(texts[0]).toContain('device.note-added');
    expect(texts[0]).toContain('Maria Gómez');
    expect(texts[2]).toContain('SNSHARED1');
  });

  it('[report-share-2] is what the preview showed', async () => {
    const { report: shown } = await previewShare(fixture.deps, support, {
      id: reportId,
      redaction,
    });
    const link = await shareReport(fixture.deps, caller(), {
      ...{ id: reportId, redaction, validSeconds: 3_600 },
    });
    const kept = await readFile(fixture.pathOf(link.id, 'page'), 'utf8');
    expect(JSON.parse(kept)).toEqual(JSON.parse(JSON.stringify(shown)));
  });

  it('describes the rounding of locations in the shared copy, not in the report', async () => {
    const link = await shareReport(fixture.deps, caller(), {
      ...{ id: reportId, redaction: { ...redaction, place: '1' }, validSeconds: 3_600 },
    });
    const page = await open(link.url);
    expect(page.body).toContain('Locations are rounded to 1 degree, about 111 km.');
    expect(page.body).not.toContain('0.1 degree');
  });

  it('names what is hidden by one wording, and the applied rules, in JSON, PDF, and page alike', async () => {
    const chosen = { ...redaction, place: 'none', networks: false } as const;
    const link = await shareReport(fixture.deps, caller(), {
      ...{ id: reportId, redaction: chosen, validSeconds: 3_600 },
    });
    const [json = '', , pdf = ''] = await sharedTexts(link.id);
    const { body: html } = await open(link.url);
    const copy = JSON.parse(json) as UserReportDocument;
    expect(copy.subject).toMatchObject({
      email: 'Hidden by the sender',
      phone: 'Hidden by the sender',
    });
    expect(copy.createdBy).toBe('Hidden by the sender');
    expect(copy.redaction).toMatchObject({ contact: true, networks: false, place: 'none' });
    const plain = html
      .slice(html.indexOf('<main>'))
      .replace(/<script>[^]*/, '')
      .replaceAll(/<[^>]+>/g, '');
    for (const text of [plain, pdf]) {
      expect(text).toContain('Email');
      expect(text).toContain(
        'Hidden by the sender: passwords, tokens, and other secrets; names, email addresses, and phone',
      );
      expect(text).toContain('username of the person; locations.');
      expect(text).not.toContain('network addresses');
      expect(text).not.toContain('•••');
      expect(text).not.toMatch(/[{}"]|rounded/);
    }
  });

  it('hides nothing that was never known', async () => {
    const { id } = await fixture.person('Jo Blank', [{ serialNumber: 'SNBLANK1' }]);
    await test.database.orm.execute(
      sql`update person set email = null, phone = null where id = ${id}`,
    );
    const { row } = await fixture.make(support, { personId: id });
    const { report } = await previewShare(fixture.deps, support, { id: row.id, redaction });
    expect(report.subject).toMatchObject({ email: null, username: 'Hidden by the sender' });
    expect(report.parts).toContain('locations');
    expect(report.places).toEqual([]);
  });

  it('[report-share-3] is opened without a session, and each opening is recorded', async () => {
    const link = await shareReport(fixture.deps, caller(), {
      ...{ id: reportId, redaction, validSeconds: 3_600 },
    });
    const page = await open(link.url);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('Maria Gómez');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const pdf = await open(link.url.replace('?', '.pdf?'));
    expect(pdf.rawPayload.subarray(0, 5).toString('latin1')).toBe('%PDF-');
    const [share] = (await listShares(fixture.deps, support, reportId)).filter(
      ({ id }) => id === link.id,
    );
    expect(share?.openings).toBe(2);
    const { rows } = await test.database.orm.execute<{ address: string }>(sql`
      select actor_address as address from audit_event
      where type = 'report.share-opened' and data->>'shareId' = ${link.id}`);
    // Sealed: the link leads to what is held of a customer.
    expect(rows.every(({ address }) => address.startsWith('sealed:'))).toBe(true);
    const opened = await withOpenedNames(test.database, rows);
    expect(opened.map(({ address }) => address)).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  it('is recorded in its case, as is each opening by a recipient', async () => {
    const caseId = newId();
    const link = await shareReport(
      fixture.deps,
      { ...caller(), caseId },
      { ...{ id: reportId, redaction, validSeconds: 3_600 } },
    );
    await open(link.url);
    const { rows } = await test.database.orm.execute<
      Record<'type' | 'actor' | 'share', string>
    >(sql`
      select data->>'type' as type, actor, data->>'shareId' as share from case_entry
      where case_id = ${caseId} order by id`);
    expect(rows).toEqual([
      { type: 'report.shared', actor: support.displayName, share: link.id },
      { type: 'report.share-opened', actor: 'report link', share: link.id },
    ]);
    const trail = await test.database.orm.execute(sql`
      select from audit_event where case_id = ${caseId} and type like 'report.share%'`);
    expect(trail.rowCount).toBe(2);
  });

  it('[report-share-4] is not opened by a link with another expiry, copy, or signature', async () => {
    const link = await shareReport(fixture.deps, caller(), {
      ...{ id: reportId, redaction, validSeconds: 3_600 },
    });
    const { searchParams } = new URL(link.url);
    const later = link.url.replace(
      /expires=\d+/,
      `expires=${Number(searchParams.get('expires')) + 60}`,
    );
    const other = link.url.replace(link.id, reportId);
    for (const url of [later, other, `${link.url}x`]) {
      expect((await open(url)).body).not.toContain('Maria');
    }
  });

  it('tells its recipient what to do with a link that lost a part on its way', async () => {
    const link = await shareReport(fixture.deps, caller(), {
      ...{ id: reportId, redaction, validSeconds: 3_600 },
    });
    for (const url of [link.url.slice(0, -8), link.url.replace(/\?.*/, ''), `${link.url}x`]) {
      const page = await open(url, { 'accept-language': 'en' });
      expect(page.statusCode).toBe(404);
      expect(page.headers['content-type']).toContain('text/html');
      expect(page.body).toContain('Copy the whole link from the message');
    }
    const cut = await open(link.url.replace(/\/shared-report\/.*/, '/shared-report/01a2'), {
      'accept-language': 'zh-CN',
    });
    expect(cut.body).toContain('链接不完整或有误');
  });

  it('[report-share-5] reports its expiry, and a renewal opens the same copy with a new link', async () => {
    const link = await shareReport(fixture.deps, caller(), {
      ...{ id: reportId, redaction, validSeconds: 60 },
    });
    now = new Date(now.getTime() + 61_000);
    const ended = await open(link.url, { 'accept-language': 'zh-CN' });
    expect(ended.statusCode).toBe(410);
    expect(ended.body).toContain('此链接已失效');
    expect(ended.body).toContain(`/reports/user-report?report=${reportId}`);
    const renewed = await renewShare(fixture.deps, caller(), {
      ...{ shareId: link.id, validSeconds: 3_600 },
    });
    expect(renewed.id).not.toBe(link.id);
    expect((await open(renewed.url)).statusCode).toBe(200);
    const [was, is] = await Promise.all([sharedTexts(link.id), sharedTexts(renewed.id)]);
    expect(is).toEqual(was);
    expect((await open(link.url)).statusCode).toBe(410);
    await endShare(fixture.deps, caller(), renewed.id);
    expect((await open(renewed.url)).statusCode).toBe(410);
  });

  it('is renewed unchanged before it expires, and its link stays valid longer', async () => {
    const link = await shareReport(fixture.deps, caller(), {
      ...{ id: reportId, redaction, validSeconds: 60 },
    });
    const renewed = await renewShare(fixture.deps, caller(), {
      ...{ shareId: link.id, validSeconds: 3_600 },
    });
    expect(renewed.id).toBe(link.id);
    now = new Date(now.getTime() + 61_000);
    expect((await open(renewed.url)).statusCode).toBe(200);
  });

  it('can be created only by a viewer who may open the report', async () => {
    const stranger = viewerWith('Viewer');
    await expect(
      shareReport(
        fixture.deps,
        { viewer: stranger, ...origin },
        { id: reportId, redaction, validSeconds: 3_600 },
      ),
    ).rejects.toMatchObject({ code: 2003 });
  });
});
