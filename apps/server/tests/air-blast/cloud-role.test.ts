import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import {
  recordCalls,
  type CallRecorder,
} from '../../../../packages/aws/tests/parts/record-calls.ts';
import { startMoto } from '../../../../packages/aws/tests/parts/start-moto.ts';
import type { RunningPart } from '../../../../packages/aws/tests/parts/start-part.ts';
import type { OperatorRole } from '../../src/air-blast/air-blast-deps.ts';
import { createCloudRole } from '../../src/air-blast/cloud-role.ts';
import { createTimedRole } from '../../src/air-blast/timed-role.ts';
import { loadAws } from '../../src/platform/aws/load-aws.ts';
import type { Viewer } from '../../src/platform/viewer.ts';

const roleArn = 'arn:aws:iam::123456789012:role/deviceportal/AirBlast';
const viewer = { userId: randomUUID(), username: 'ada@corp.example' } as Viewer;
const request = {
  airBlastId: randomUUID(),
  origin: { address: '127.0.0.1', requestId: 'r-1' },
};

describe.skipIf(lacks('moto'))('the AirBlast role in AWS', () => {
  let moto: RunningPart;
  let recorder: CallRecorder;
  beforeAll(async () => {
    moto = await startMoto();
  });
  afterAll(() => moto[Symbol.asyncDispose]());
  beforeEach(async () => {
    recorder = await recordCalls(moto);
    return () => recorder[Symbol.asyncDispose]();
  });

  async function openRole(own: OperatorRole): Promise<OperatorRole> {
    const { createAssumeRole } = await loadAws('assume-role', 'test');
    return createCloudRole({ own, assume: createAssumeRole(recorder), roleArn });
  }
  const timed = createTimedRole({ clock: () => new Date() });

  it('[cloud-role-1] is assumed for exactly 900 seconds, for this rollout and operator, without personal data', async () => {
    const role = await openRole(timed);
    const startedAt = Date.now();
    const { expiresAt } = await role.assume(viewer, request);
    expect(recorder.calls).toHaveLength(1);
    expect(recorder.calls[0]?.isSigned).toBe(true);
    expect(Object.fromEntries(new URLSearchParams(recorder.calls[0]?.body))).toEqual({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: roleArn,
      DurationSeconds: '900',
      RoleSessionName: `air-blast-${viewer.userId}`,
      'Tags.member.1.Key': 'deviceportal:rollout',
      'Tags.member.1.Value': request.airBlastId,
      'Tags.member.2.Key': 'deviceportal:operator',
      'Tags.member.2.Value': viewer.userId,
    });
    // STS rounds to seconds.
    expect(expiresAt.getTime()).toBeGreaterThan(startedAt + 898_000);
    expect(expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 900_000);
  });

  it.each([
    ['an hour', 3_600, 900],
    ['ten minutes', 600, 600],
  ])(
    '[cloud-role-2] a session of %s from AWS ends after at most 900 seconds',
    async (_name, given, kept) => {
      const now = Date.now();
      const role = createCloudRole({
        own: createTimedRole({ clock: () => new Date(now) }),
        assume: async () => ({ expiresAt: new Date(now + given * 1_000) }),
        roleArn,
      });
      const { expiresAt } = await role.assume(viewer, request);
      expect((expiresAt.getTime() - now) / 1_000).toBe(kept);
    },
  );

  it('[cloud-role-3] is not assumed for an operator whom this installation rejects', async () => {
    const rejection = new Error('rejected');
    const role = await openRole({ ...timed, assume: () => Promise.reject(rejection) });
    await expect(role.assume(viewer, request)).rejects.toBe(rejection);
    expect(recorder.calls).toEqual([]);
  });

  it('[cloud-role-4] a rejection by AWS is no permission, and an outage is not', async () => {
    const role = await openRole(timed);
    const code = (name: string): string =>
      `<ErrorResponse><Error><Type>Sender</Type><Code>${name}</Code><Message>x</Message></Error></ErrorResponse>`;
    recorder.answerNext({ status: 403, body: code('AccessDenied') });
    await expect(role.assume(viewer, request)).rejects.toMatchObject({
      code: 1000,
      reason: 'cloud-role-refused',
    });
    recorder.answerNext({ status: 403, body: code('ExpiredToken') });
    await expect(role.assume(viewer, request)).rejects.toMatchObject({ code: 2000 });
  });
});
