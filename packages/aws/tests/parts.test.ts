import {
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import {
  CreateBucketCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { lacks } from './parts/parts.ts';
import { startDynamoDbLocal } from './parts/start-dynamodb-local.ts';
import { startElasticMq } from './parts/start-elasticmq.ts';
import { startMoto } from './parts/start-moto.ts';
import type { RunningPart } from './parts/start-part.ts';
import { startVersitygw } from './parts/start-versitygw.ts';

/** Addresses of this machine other than loopback on which the part can be reached. */
async function otherDoors({ endpoint }: RunningPart): Promise<string[]> {
  const addresses = Object.values(networkInterfaces())
    .flatMap((known) => known ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  const doors = addresses.map(({ address }) => endpoint.replace('127.0.0.1', address));
  const answers = await Promise.all(
    doors.map((door) =>
      fetch(door, { signal: AbortSignal.timeout(2_000) }).then(
        () => [door],
        () => [],
      ),
    ),
  );
  return answers.flat();
}

const nameOf = (error: unknown): string => (error as Error).name;

describe.skipIf(lacks('versitygw'))('the stand-in for S3', () => {
  it('[aws-parts-1] stores what is signed with its key, writes once where asked to, and reads ranges', async () => {
    await using store = await startVersitygw();
    const client = new S3Client({ ...store, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: 'files' }));
    const at = { Bucket: 'files', Key: 'a/b' };
    await client.send(new PutObjectCommand({ ...at, Body: 'hello', IfNoneMatch: '*' }));
    const again = new PutObjectCommand({ ...at, Body: 'other', IfNoneMatch: '*' });
    expect(await client.send(again).catch(nameOf)).toBe('PreconditionFailed');
    const { Body } = await client.send(new GetObjectCommand({ ...at, Range: 'bytes=1-3' }));
    expect(await Body?.transformToString()).toBe('ell');
    const thief = new S3Client({
      ...store,
      forcePathStyle: true,
      credentials: { ...store.credentials, secretAccessKey: 'guessed' },
    });
    expect(await thief.send(new GetObjectCommand(at)).catch(nameOf)).toBe('SignatureDoesNotMatch');
    expect(await otherDoors(store)).toEqual([]);
  });
});

describe.skipIf(lacks('DynamoDB Local'))('the stand-in for DynamoDB', () => {
  it('[aws-parts-2] holds to conditions, and tells every change by its stream', async () => {
    await using tables = await startDynamoDbLocal();
    const client = new DynamoDBClient(tables);
    const { TableDescription } = await client.send(
      new CreateTableCommand({
        TableName: 'devices',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      }),
    );
    const put = new PutItemCommand({
      TableName: 'devices',
      Item: { id: { S: 'a' } },
      ConditionExpression: 'attribute_not_exists(id)',
    });
    await client.send(put);
    expect(await client.send(put).catch(nameOf)).toBe('ConditionalCheckFailedException');
    await client.send(
      new UpdateItemCommand({
        TableName: 'devices',
        Key: { id: { S: 'a' } },
        UpdateExpression: 'SET #at = :at',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':at': { N: '2' } },
      }),
    );
    const streams = new DynamoDBStreamsClient(tables);
    const StreamArn = TableDescription?.LatestStreamArn;
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({
        StreamArn,
        ShardId: StreamDescription?.Shards?.[0]?.ShardId,
        ShardIteratorType: 'TRIM_HORIZON',
      }),
    );
    const { Records = [] } = await streams.send(new GetRecordsCommand({ ShardIterator }));
    expect(Records.map(({ eventName, dynamodb }) => [eventName, dynamodb?.NewImage])).toEqual([
      ['INSERT', { id: { S: 'a' } }],
      ['MODIFY', { id: { S: 'a' }, at: { N: '2' } }],
    ]);
    expect(await otherDoors(tables)).toEqual([]);
  });
});

describe.skipIf(lacks('ElasticMQ'))('the stand-in for SQS', () => {
  it('[aws-parts-3] moves a message that is received too often to the dead letters', async () => {
    await using queues = await startElasticMq();
    const client = new SQSClient(queues);
    await client.send(new CreateQueueCommand({ QueueName: 'dead' }));
    const { QueueUrl } = await client.send(
      new CreateQueueCommand({
        QueueName: 'events',
        Attributes: {
          VisibilityTimeout: '0',
          RedrivePolicy: JSON.stringify({
            deadLetterTargetArn: 'arn:aws:sqs:elasticmq:000000000000:dead',
            maxReceiveCount: 1,
          }),
        },
      }),
    );
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hello' }));
    const receive = async (url: string | undefined) => {
      const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl: url }));
      return Messages.map(({ Body }) => Body);
    };
    expect(await receive(QueueUrl)).toEqual(['hello']);
    expect(await receive(QueueUrl)).toEqual([]);
    expect(await receive(QueueUrl?.replace('events', 'dead'))).toEqual(['hello']);
    expect(await otherDoors(queues)).toEqual([]);
  });
});

describe.skipIf(lacks('moto'))('the stand-in for the other services', () => {
  it('[aws-parts-4] answers in the protocol of AWS', async () => {
    await using services = await startMoto();
    const client = new SecretsManagerClient(services);
    const create = new CreateSecretCommand({ Name: 'database', SecretString: '{}' });
    await client.send(create);
    expect(await client.send(create).catch(nameOf)).toBe('ResourceExistsException');
    expect(await otherDoors(services)).toEqual([]);
  });
});
