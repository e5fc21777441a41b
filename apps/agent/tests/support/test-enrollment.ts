/**
 * The server's HTTP endpoints for tests: `/enrol` with one claim token and the gateway's authority,
 * and files.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  enrollmentRequestSchema,
  type EnrollmentReply,
  type EnrollmentRequest,
} from '@deviceportal/device-protocol/enrollment';
import { publishRing } from '@deviceportal/command-signing/publish-ring';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { newReleaseKey, type TestReleaseKey } from './release-key.ts';
import type { TestGateway } from './test-gateway.ts';

export const CLAIM = 'test-claim';

export interface TestEnrollment extends AsyncDisposable {
  readonly url: string;
  readonly files: Map<string, Buffer>;
  /** Sent to machines when they enroll. */
  readonly releaseKey: TestReleaseKey;
  readonly enrolled: { deviceId: string; request: EnrollmentRequest }[];
}

export async function startTestEnrollment(gateway: TestGateway): Promise<TestEnrollment> {
  const enrolled: TestEnrollment['enrolled'] = [];
  const releaseKey = newReleaseKey();
  const releases = {
    ...{ sequence: 1, current: releaseKey, known: [releaseKey], pinned: [releaseKey] },
    withdrawn: [],
  };
  const files: TestEnrollment['files'] = new Map();
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (file) {
      response.end(file);
      return;
    }
    // Only the date of the response is used, which Node always adds.
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      void answer(Buffer.concat(parts).toString()).then(([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
    });
  });
  async function answer(text: string): Promise<[number, object]> {
    const request = JSON.parse(text) as EnrollmentRequest;
    enrollmentRequestSchema.parse(request);
    if (request.claimToken !== CLAIM)
      return [403, { code: 1000, message: 'the claim token is unknown' }];
    const deviceId = newId();
    enrolled.push({ deviceId, request });
    const reply: EnrollmentReply = {
      deviceId,
      instanceId: newInstanceId(),
      certificate: await gateway.authority.sign(request.certificateRequest, deviceId),
      authorities: gateway.authority.certificate,
      brokerUrl: gateway.brokerUrl,
      keyRings: [await publishRing('releases', releases, new Date())],
    };
    return [200, reply];
  }
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ enrolled, files, releaseKey },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
