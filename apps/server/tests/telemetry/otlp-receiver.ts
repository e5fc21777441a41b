import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  hexOf,
  messagesOf,
  numberOf,
  readProtobuf,
  textOf,
  type ProtobufFields,
} from './read-protobuf.ts';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly hasFailed: boolean;
}

export interface ReceivedMetric {
  readonly name: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
  readonly points: readonly {
    readonly attributes: Readonly<Record<string, string | number>>;
    /** Of a histogram: the number of values. */
    readonly value: number;
    readonly buckets: readonly number[];
  }[];
}

export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** Of the latest export. */
  metrics: readonly ReceivedMetric[];
  readonly services: Set<string>;
  readonly authorizations: Set<string | undefined>;
  /** All bytes of traces as text. */
  readonly raw: () => string;
}

/**
 * A receiver of OTLP/HTTP in protobuf: it reads fields by the numbers in
 * github.com/open-telemetry/opentelemetry-proto.
 */
export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: Buffer[] = [];
  const receiver: Omit<OtlpReceiver, 'url' | typeof Symbol.asyncDispose> = {
    ...{ spans: [], metrics: [], services: new Set(), authorizations: new Set() },
    raw: () => Buffer.concat(bodies).toString('latin1'),
  };
  const server = createServer(async (request, reply) => {
    const body = Buffer.concat(await request.toArray());
    receiver.authorizations.add(request.headers.authorization);
    const message = readProtobuf(body);
    if (request.headers['content-type'] !== 'application/x-protobuf') reply.statusCode = 415;
    else if (request.url === '/v1/traces') {
      bodies.push(body);
      for (const resource of messagesOf(message, 1)) {
        receiver.services.add(String(attributesOf(messagesOf(resource, 1)[0], 1)['service.name']));
        receiver.spans.push(...scoped(resource).map(spanOf));
      }
    } else if (request.url === '/v1/metrics') {
      receiver.metrics = messagesOf(message, 1).flatMap(scoped).map(metricOf);
    } else reply.statusCode = 404;
    reply.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

/** ResourceSpans.scope_spans.spans, and ResourceMetrics.scope_metrics.metrics. */
const scoped = (resource: ProtobufFields): readonly ProtobufFields[] =>
  messagesOf(resource, 2).flatMap((scope) => messagesOf(scope, 2));

const spanOf = (span: ProtobufFields): ReceivedSpan => ({
  traceId: hexOf(span, 1),
  spanId: hexOf(span, 2),
  parentId: hexOf(span, 4),
  name: textOf(span, 5),
  attributes: attributesOf(span, 9),
  hasFailed: messagesOf(span, 15).some((status) => numberOf(status, 3) === 2),
});

function metricOf(metric: ProtobufFields): ReceivedMetric {
  const kinds = { gauge: 5, sum: 7, histogram: 9 } as const;
  const kind = (['gauge', 'sum', 'histogram'] as const).find((name) => metric.has(kinds[name]));
  const [data] = messagesOf(metric, kinds[kind ?? 'gauge']);
  const points = data === undefined ? [] : messagesOf(data, 1);
  return {
    name: textOf(metric, 1),
    kind: kind ?? 'gauge',
    points: points.map((point) =>
      kind === 'histogram'
        ? {
            attributes: attributesOf(point, 9),
            value: fixedOf(point, 4)[0] ?? 0,
            buckets: fixedOf(point, 6),
          }
        : { attributes: attributesOf(point, 7), value: numberOf(point, 4), buckets: [] },
    ),
  };
}

/** Numbers of 64 bits, one or packed. */
function fixedOf(fields: ProtobufFields, field: number): number[] {
  return (fields.get(field) ?? []).flatMap((value) => {
    if (!(value instanceof Uint8Array)) return [Number(value)];
    const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
    return Array.from({ length: value.byteLength / 8 }, (_, index) =>
      Number(view.getBigUint64(index * 8, true)),
    );
  });
}

function attributesOf(
  fields: ProtobufFields | undefined,
  field: number,
): Record<string, string | number> {
  const pairs = fields === undefined ? [] : messagesOf(fields, field);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [value] = messagesOf(pair, 2);
      if (value === undefined) return [textOf(pair, 1), ''];
      return [
        textOf(pair, 1),
        value.has(1) ? textOf(value, 1) : numberOf(value, value.has(3) ? 3 : 4),
      ];
    }),
  );
}
