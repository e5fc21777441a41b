import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callMoto } from '../../../../packages/aws/tests/parts/call-moto.ts';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import {
  recordCalls,
  type CallRecorder,
} from '../../../../packages/aws/tests/parts/record-calls.ts';
import { startMoto } from '../../../../packages/aws/tests/parts/start-moto.ts';
import type { RunningPart } from '../../../../packages/aws/tests/parts/start-part.ts';
import type { DeliveryChannel } from '../../src/messages/delivery-channel.ts';
import { createSesChannel } from '../../src/messages/ses-channel.ts';
import { createSnsChannel } from '../../src/messages/sns-channel.ts';
import { loadAws } from '../../src/platform/aws/load-aws.ts';

const from = 'Device Portal <portal@corp.example>';
const email = {
  id: '0198c0de-0000-7000-8000-000000000001',
  to: 'ada@corp.example',
  subject: '你的验证码',
  text: 'Your code is 482913.',
  html: '<p>Your code is <b>482913</b>.</p>',
  expiresAt: new Date('2026-11-20T13:05:00Z'),
};
const sms = { ...email, to: '+48123456789' };

let moto: RunningPart;
let recorder: CallRecorder;
let order: string[];

async function channelsAt(
  at: Omit<RunningPart, 'kill'>,
): Promise<Record<'ses' | 'sns', DeliveryChannel>> {
  const { createSesMail } = await loadAws('ses-mail', 'test');
  const { createSnsText } = await loadAws('sns-text', 'test');
  return {
    ses: createSesChannel({ from, send: createSesMail(at) }),
    sns: createSnsChannel(createSnsText({ ...at, senderId: 'Portal' })),
  };
}

const handOver = async (): Promise<void> =>
  void order.push(`handed over after ${recorder.calls.length}`);

describe.skipIf(lacks('moto'))('messages by AWS', () => {
  beforeAll(async () => {
    moto = await startMoto();
  });
  afterAll(() => moto[Symbol.asyncDispose]());
  beforeEach(async () => {
    order = [];
    recorder = await recordCalls(moto);
    return () => recorder[Symbol.asyncDispose]();
  });

  test('[aws-messages-1] SES takes the same email as a mail server, in one signed call', async () => {
    const identity = new URLSearchParams({ EmailAddress: 'portal@corp.example' });
    await callMoto(moto, 'ses', 'VerifyEmailIdentity', identity);
    const { ses } = await channelsAt(recorder);
    await ses.deliver(email, handOver);
    expect(order).toEqual(['handed over after 0']);
    const [call] = recorder.calls;
    expect(recorder.calls).toHaveLength(1);
    expect(call).toMatchObject({ target: '/v2/email/outbound-emails', isSigned: true });
    const request = JSON.parse(call?.body ?? '') as {
      readonly Destination: unknown;
      readonly Content: { readonly Raw: { readonly Data: string } };
    };
    expect(request.Destination).toEqual({ ToAddresses: [email.to] });
    const mail = Buffer.from(request.Content.Raw.Data, 'base64').toString();
    expect(mail).toContain(`Message-ID: <${email.id}@corp.example>`);
    expect(mail).toContain('Auto-Submitted: auto-generated');
    expect(mail).toContain('482913');
  });

  test('[aws-messages-2] SNS takes a transactional text with the chosen sender', async () => {
    const { sns } = await channelsAt(recorder);
    await sns.deliver(sms, handOver);
    expect(order).toEqual(['handed over after 0']);
    const request = new URLSearchParams(recorder.calls[0]?.body);
    expect(Object.fromEntries(request)).toMatchObject({
      Action: 'Publish',
      PhoneNumber: sms.to,
      Message: sms.text,
      'MessageAttributes.entry.1.Value.StringValue': 'Transactional',
      'MessageAttributes.entry.2.Value.StringValue': 'Portal',
    });
  });

  test('[aws-messages-3] a sender that SES does not know, and a number that is none, are refused', async () => {
    const { createSesMail } = await loadAws('ses-mail', 'test');
    const stranger = createSesChannel({ from: 'x@other.example', send: createSesMail(recorder) });
    await expect(stranger.deliver(email, handOver)).rejects.toMatchObject({
      failure: 'refused',
      reason: '400 MessageRejected',
    });
    const { sns } = await channelsAt(recorder);
    await expect(sns.deliver({ ...sms, to: 'ada' }, handOver)).rejects.toMatchObject({
      failure: 'refused',
    });
    expect(recorder.calls).toHaveLength(2);
  });

  test.each([
    ['throttled', 429, 'TooManyRequestsException', 'later'],
    ['over its quota', 400, 'LimitExceededException', 'later'],
    ['not permitted', 403, 'AccessDeniedException', 'later'],
    ['without a token that is still valid', 403, 'ExpiredTokenException', 'later'],
    ['unavailable', 503, 'ServiceUnavailable', 'later'],
    ['broken', 500, 'InternalFailure', 'uncertain'],
  ] as const)(
    '[aws-messages-4] SES that is %s: one call, which tells whether to try again',
    async (_name, status, type, failure) => {
      recorder.answerNext({ status, body: JSON.stringify({ __type: type, message: 'ada@corp' }) });
      const { ses } = await channelsAt(recorder);
      const error: unknown = await ses.deliver(email, handOver).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ failure, reason: `${status} ${type}` });
      expect(String(error)).not.toContain('ada');
      expect(recorder.calls).toHaveLength(1);
    },
  );

  test.each([
    ['throttled', 400, 'Throttled', 'later'],
    ['not permitted', 403, 'AuthorizationError', 'later'],
    ['broken', 500, 'InternalError', 'uncertain'],
  ] as const)('[aws-messages-5] SNS that is %s: one call', async (_name, status, type, failure) => {
    const body = `<ErrorResponse><Error><Type>Sender</Type><Code>${type}</Code><Message>x</Message></Error><RequestId>1</RequestId></ErrorResponse>`;
    recorder.answerNext({ status, body });
    const { sns } = await channelsAt(recorder);
    await expect(sns.deliver(sms, handOver)).rejects.toMatchObject({ failure });
    expect(recorder.calls).toHaveLength(1);
  });

  test('[aws-messages-6] a cut connection is uncertain, a closed port and missing credentials are not sent', async () => {
    const { ses, sns } = await channelsAt(recorder);
    for (const way of [ses, sns]) {
      recorder.answerNext('cut');
      await expect(way.deliver(sms, handOver)).rejects.toMatchObject({ failure: 'uncertain' });
    }
    expect(recorder.calls).toHaveLength(2);
    const closed = await channelsAt({ ...recorder, endpoint: 'http://127.0.0.1:1' });
    for (const way of Object.values(closed)) {
      await expect(way.deliver(sms, handOver)).rejects.toMatchObject({
        failure: 'later',
        reason: 'ECONNREFUSED',
      });
    }
  });

  test('[aws-messages-7] nothing is sent if the attempt is stopped at the last moment', async () => {
    const stop = new Error('superseded');
    for (const way of Object.values(await channelsAt(recorder))) {
      await expect(way.deliver(sms, () => Promise.reject(stop))).rejects.toBe(stop);
    }
    expect(recorder.calls).toEqual([]);
  });
});
