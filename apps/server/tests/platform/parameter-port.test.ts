import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import { createFileParameters } from '../../src/platform/parameters/file-parameters.ts';
import {
  ParameterStoreError,
  type NamedParameter,
  type ParameterPort,
} from '../../src/platform/parameters/parameter-port.ts';
import { openSsmParameters } from '../../src/platform/parameters/ssm-parameters.ts';

const held: readonly NamedParameter[] = [
  { name: 'banner', version: 1, type: 'String', value: 'Hello' },
  { name: 'hosts', version: 4, type: 'StringList', value: 'a,b' },
  { name: '/acme/wifi.key', version: 2, type: 'SecureString', value: 'correct horse' },
  ...Array.from({ length: 20 }, (_, index): NamedParameter => {
    return { name: `n${index}`, version: 1, type: 'String', value: String(index) };
  }),
];

let folder = '';
let path = '';
let server: Server;
let endpoint = '';
const requests: { names: string[]; decrypts: boolean; authorization: string }[] = [];

/** The one operation of SSM's JSON protocol that the portal uses, as the API reference has it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parameters-'));
  path = join(folder, 'parameters.json');
  const file = held.map(({ name, ...rest }) => [name, rest]);
  await writeFile(path, JSON.stringify({ ...Object.fromEntries(file), banner: 'Hello' }));
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as {
        Names: string[];
        WithDecryption?: boolean;
      };
      const { authorization = '' } = request.headers;
      requests.push({ names: body.Names, decrypts: body.WithDecryption === true, authorization });
      response.setHeader('content-type', 'application/x-amz-json-1.1');
      const tooMany = body.Names.length > 10;
      if (tooMany || request.headers['x-amz-target'] !== 'AmazonSSM.GetParameters') {
        response.statusCode = 400;
        response.end('{"__type":"ValidationException"}');
        return;
      }
      const found = body.Names.flatMap((wanted) => {
        const [name, version] = wanted.split(':');
        return held.filter(
          (one) => one.name === name && (version === undefined || one.version === Number(version)),
        );
      });
      const Parameters = found.map(({ name, version, type, value }) => ({
        Name: name,
        Version: version,
        Type: type,
        Value: value,
      }));
      response.end(JSON.stringify({ Parameters, InvalidParameters: [] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true });
});

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
const ssm = (): Promise<ParameterPort> =>
  openSsmParameters({ region: 'eu-central-1', endpoint, credentials });

function holdsParameters(open: () => Promise<ParameterPort>): void {
  it('[parameter-port-1] gives what exists, with type and version, and leaves out what does not', async () => {
    const store = await open();
    const found = await store.read([
      { name: 'banner', version: null },
      { name: '/acme/wifi.key', version: 2 },
      { name: '/acme/wifi.key', version: 1 },
      { name: 'missing', version: null },
    ]);
    expect(found.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual([
      held[2],
      held[0],
    ]);
  });

  it('[parameter-port-2] takes as many as a document names', async () => {
    const wanted = held.map(({ name }) => ({ name, version: null }));
    const store = await open();
    expect(await store.read(wanted)).toHaveLength(held.length);
  });
}

describe('a parameter store: file', () => {
  holdsParameters(() => Promise.resolve(createFileParameters(path)));
});

describe.skipIf(lacks())('a parameter store: ssm', () => {
  holdsParameters(ssm);

  it('[parameter-port-3] SSM is asked in signed requests, for secrets in the clear', async () => {
    requests.length = 0;
    const store = await ssm();
    await store.read([{ name: '/acme/wifi.key', version: 2 }]);
    expect(requests).toEqual([
      {
        names: ['/acme/wifi.key:2'],
        decrypts: true,
        authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 .*eu-central-1\/ssm/) as string,
      },
    ]);
  });
});

it('[parameter-port-4] a store that cannot be read says so, and tells nothing of what it holds', async () => {
  const broken = join(folder, 'broken.json');
  await writeFile(broken, '{"key": {"value": "correct horse", "kind": 1}}');
  const error = await createFileParameters(broken)
    .read([{ name: 'key', version: null }])
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ParameterStoreError);
  expect(String(error)).not.toContain('horse');
  const none = createFileParameters(join(folder, 'none.json'));
  expect(await none.read([{ name: 'key', version: null }])).toEqual([]);
});
