import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { RunningPart } from '../../../../../packages/aws/tests/parts/start-part.ts';

export interface IotConnections {
  readonly publish: (topic: string, payload: Buffer, qos: 0 | 1) => Promise<unknown>;
  readonly endConnection: (clientId: string) => Promise<unknown>;
  /** Accepts connections with all certificates except these, PEM. */
  readonly revoke: (certificates: readonly string[]) => Promise<void>;
}

/** What clients of AWS IoT call: the control plane, which moto answers, and the data plane. */
export interface IotFront extends AsyncDisposable {
  readonly endpoint: string;
  /** Number of the next publishes that are throttled. */
  throttled: number;
  /** Paths of the calls, with their methods. */
  readonly calls: string[];
  /** The ID of the newest certificate of a thing. */
  readonly certificateOf: (thing: string) => string | undefined;
  /** `ACTIVE` or `INACTIVE`, as moto has it; empty for one that does not exist. */
  readonly statusOf: (certificateId: string) => Promise<string>;
  readonly hasThing: (thing: string) => Promise<boolean>;
}

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/us-east-1\/(?:iot|iotdata)\/aws4_request,/;

export async function openIotFront(
  moto: RunningPart,
  connections: IotConnections,
): Promise<IotFront> {
  const things = new Map<string, string>();
  const certificates = new Map<string, string>();
  const inactive = new Set<string>();
  const calls: string[] = [];
  const learn = async (method: string, url: URL, body: Buffer): Promise<void> => {
    const [, kind, id = ''] = url.pathname.split('/');
    if (method === 'POST' && url.pathname.startsWith('/certificate/register')) {
      const { certificatePem = '' } = JSON.parse(body.toString()) as { certificatePem?: string };
      certificates.set(certificateIdOf(certificatePem), certificatePem);
    }
    if (kind === 'certificates' && method === 'PUT') {
      if (url.searchParams.get('newStatus') === 'INACTIVE') inactive.add(id);
      else inactive.delete(id);
      await connections.revoke([...inactive].flatMap((each) => certificates.get(each) ?? []));
    }
  };
  const server = createServer(async (request, response) => {
    const { method = 'GET', headers } = request;
    const url = new URL(request.url ?? '/', 'http://front');
    const body = await buffer(request);
    calls.push(`${method} ${url.pathname}`);
    if (!SIGNED.test(headers.authorization ?? '')) return answer(response, 403, 'NotSigned');
    const [, kind, name = ''] = url.pathname.split('/');
    if (kind === 'topics') {
      if (front.throttled > 0) {
        front.throttled -= 1;
        return answer(response, 429, 'ThrottlingException');
      }
      const qos = url.searchParams.get('qos') === '1' ? 1 : 0;
      await connections.publish(decodeURIComponent(name), body, qos);
      return answer(response, 200);
    }
    if (kind === 'connections' && method === 'DELETE') {
      await connections.endConnection(decodeURIComponent(name));
      return answer(response, 200);
    }
    if (kind === 'things' && url.pathname.endsWith('/principals') && method === 'PUT') {
      const arn = String(headers['x-amzn-principal'] ?? headers['x-amzn-iot-principal']);
      things.set(name, arn.split('/').at(-1) ?? '');
    }
    await learn(method, url, body);
    await pass(moto, { request, response, body });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const front: IotFront = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    throttled: 0,
    calls,
    certificateOf: (thing) => things.get(thing),
    async statusOf(certificateId) {
      const reply = await askMoto(moto, `/certificates/${certificateId}`);
      const found = (await reply.json()) as { certificateDescription?: { status?: string } };
      return found.certificateDescription?.status ?? '';
    },
    hasThing: async (thing) => (await askMoto(moto, `/things/${thing}`)).ok,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return front;
}

function askMoto({ endpoint }: RunningPart, path: string): Promise<Response> {
  const scope = 'AKID/20260101/us-east-1/iot/aws4_request';
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`;
  return fetch(endpoint + path, { headers: { authorization } });
}

function answer(response: ServerResponse, status: number, fault?: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(fault !== undefined && { 'x-amzn-errortype': fault }),
  });
  response.end(JSON.stringify(fault === undefined ? {} : { message: fault }));
}

async function pass(
  { endpoint }: RunningPart,
  {
    request,
    response,
    body,
  }: {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly body: Buffer;
  },
): Promise<void> {
  const own = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect']);
  const reply = await fetch(endpoint + request.url, {
    method: request.method ?? 'GET',
    headers: Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      own.has(name) || typeof value !== 'string' ? [] : [[name, value]],
    ),
    ...(body.length > 0 && { body }),
  });
  const errorType = reply.headers.get('x-amzn-errortype');
  response.writeHead(reply.status, {
    'content-type': reply.headers.get('content-type') ?? 'application/json',
    ...(errorType !== null && { 'x-amzn-errortype': errorType }),
  });
  response.end(Buffer.from(await reply.arrayBuffer()));
}

/** The ID of a certificate at AWS IoT. */
const certificateIdOf = (pem: string): string =>
  createHash('sha256').update(new X509Certificate(pem).raw).digest('hex');
