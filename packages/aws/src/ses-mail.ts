import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import type { AwsPackage } from '@deviceportal/server/aws-package';
import { singleAttempt } from './single-attempt.ts';

/** Emails by Amazon SES. */
export const createSesMail: AwsPackage['ses-mail']['createSesMail'] = (options) => {
  const { client: clientOptions, limit } = singleAttempt(options);
  const client = new SESv2Client(clientOptions);
  return async ({ from, to, mail }) => {
    const command = new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: { Raw: { Data: mail } },
    });
    await client.send(command, limit());
  };
};
