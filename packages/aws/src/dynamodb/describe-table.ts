import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TableLayout } from '@deviceportal/server/aws-package';

/**
 * @returns the ARN of the table's current stream
 * @throws Error if the table does not have these keys, or no stream with new images
 */
export async function describeTable(
  client: DynamoDBClient,
  name: string,
  { keys }: TableLayout,
): Promise<string> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  const own = ['HASH', 'RANGE'].flatMap(
    (type) => Table?.KeySchema?.find(({ KeyType }) => KeyType === type)?.AttributeName ?? [],
  );
  const types = new Map(
    Table?.AttributeDefinitions?.map((each) => [each.AttributeName, each.AttributeType]),
  );
  if (own.join() !== keys.join() || own.some((key) => types.get(key) !== 'S')) {
    throw new Error(`The table ${name} must have the key ${keys.join(', ')} of type S.`);
  }
  const view = Table?.StreamSpecification?.StreamViewType;
  const arn = Table?.LatestStreamArn;
  if (arn === undefined || (view !== 'NEW_IMAGE' && view !== 'NEW_AND_OLD_IMAGES')) {
    throw new Error(`The table ${name} has no stream of the view type NEW_IMAGE.`);
  }
  return arn;
}
