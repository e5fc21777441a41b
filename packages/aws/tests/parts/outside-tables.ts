import type { TableItem, TableLayout } from '@deviceportal/server/aws-package';
import { callPart } from './call-part.ts';
import type { PartAddress } from './start-part.ts';

type Attribute = Readonly<Record<string, unknown>>;

/** Tables of DynamoDB as another program uses them, without the clients of AWS. */
export class OutsideTables {
  readonly #part: PartAddress;

  constructor(part: PartAddress) {
    this.#part = part;
  }

  /** @param view of the stream; null for none */
  async create(
    name: string,
    { keys }: Pick<TableLayout, 'keys'>,
    view: string | null = 'NEW_IMAGE',
  ): Promise<void> {
    await this.#call('CreateTable', {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((key) => ({ AttributeName: key, AttributeType: 'S' })),
      KeySchema: keys.map((key, index) => ({
        AttributeName: key,
        KeyType: index === 0 ? 'HASH' : 'RANGE',
      })),
      ...(view !== null && {
        StreamSpecification: { StreamEnabled: true, StreamViewType: view },
      }),
    });
  }

  async put(name: string, item: TableItem): Promise<void> {
    await this.#call('PutItem', { TableName: name, Item: toMap(item) });
  }

  async remove(name: string, key: TableItem): Promise<void> {
    await this.#call('DeleteItem', { TableName: name, Key: toMap(key) });
  }

  async items(name: string): Promise<TableItem[]> {
    const found = await this.#call('Scan', { TableName: name, ConsistentRead: true });
    return (found as { Items: Record<string, Attribute>[] }).Items.map(fromMap);
  }

  #call(name: string, input: Readonly<Record<string, unknown>>): Promise<unknown> {
    const target = `DynamoDB_20120810.${name}`;
    return callPart(this.#part, { service: 'dynamodb', target, version: '1.0' }, input);
  }
}

const toMap = (item: object): Record<string, Attribute> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toAttribute(value)]));

function toAttribute(value: unknown): Attribute {
  if (value === null) return { NULL: true };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (Array.isArray(value)) return { L: value.map(toAttribute) };
  return { M: toMap(value as object) };
}

const fromMap = (map: Readonly<Record<string, Attribute>>): TableItem =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, fromAttribute(value)]));

function fromAttribute({ S, N, L, M, NULL }: Attribute): unknown {
  if (NULL === true) return null;
  if (N !== undefined) return Number(N);
  if (L !== undefined) return (L as Attribute[]).map(fromAttribute);
  return M === undefined ? S : fromMap(M as Record<string, Attribute>);
}
