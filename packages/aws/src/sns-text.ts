import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { AwsPackage } from '@deviceportal/server/aws-package';
import { singleAttempt } from './single-attempt.ts';

/** Text messages by Amazon SNS, as transactional ones: delivery before price. */
export const createSnsText: AwsPackage['sns-text']['createSnsText'] = ({
  senderId,
  ...options
}) => {
  const { client: clientOptions, limit } = singleAttempt(options);
  const client = new SNSClient(clientOptions);
  const textOf = (value: string) => ({ DataType: 'String', StringValue: value });
  return async ({ to, text }) => {
    const command = new PublishCommand({
      PhoneNumber: to,
      Message: text,
      MessageAttributes: {
        'AWS.SNS.SMS.SMSType': textOf('Transactional'),
        ...(senderId !== undefined && { 'AWS.SNS.SMS.SenderID': textOf(senderId) }),
      },
    });
    await client.send(command, limit());
  };
};
