import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicOperations } from '@deviceportal/contract/public-api';
import type { PublicOperation } from '@deviceportal/contract/public-operation';
import { openApiDocument } from '../../src/api/public/open-api-document.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

interface Described {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

const document = openApiDocument('https://portal.example.com') as unknown as Document;
const described = Object.values(document.paths).flatMap((path) => Object.values(path));

let portal: TestServer;
beforeAll(async () => {
  portal = await startTestServer();
});
afterAll(() => portal[Symbol.asyncDispose]());

describe('the description of the API', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document) as never);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  test('has every operation once, with an ID', () => {
    const ids = described.map(({ operationId }) => operationId);
    expect(ids.toSorted()).toEqual(Object.keys(publicOperations).toSorted());
  });

  test('refers only to schemas that it contains', () => {
    const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    const missing = [...references].filter(
      ([, name = '']) => !(name in document.components.schemas),
    );
    expect(missing).toEqual([]);
  });

  test('declares every parameter of a path', () => {
    for (const { path, params } of Object.values<PublicOperation>(publicOperations)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(params?.shape ?? {}), path).toEqual(names);
    }
  });

  test('is served to everyone, with the address of the installation', async () => {
    const answer = await fetch(`${portal.url}/api/v1/openapi.json`);
    expect(answer.status).toBe(200);
    const served = (await answer.json()) as Document & { servers: { url: string }[] };
    expect(served.servers).toEqual([{ url: `${portal.server.publicUrl}/api/v1` }]);
    expect(served.paths).toEqual(document.paths);
  });
});

describe('the reference page', () => {
  test('loads files of this server only, and nothing inline', async () => {
    const page = await fetch(`${portal.url}/api/docs`);
    const html = await page.text();
    const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source ?? '');
    const files = sources.filter((source) => !source.startsWith('data:'));
    expect(files).toHaveLength(3);
    for (const file of files) {
      expect(file).toMatch(/^\/api\/docs\//);
      expect((await fetch(`${portal.url}${file}`)).status, file).toBe(200);
    }
    expect(html).not.toMatch(/<script>|<style|style="/);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  });

  test.each(['index.html', 'swagger-initializer.js', 'package.json', '..%2f..%2fpackage.json'])(
    'does not serve %s of the package',
    async (file) => {
      expect((await fetch(`${portal.url}/api/docs/files/${file}`)).status).toBe(404);
    },
  );
});
