/** The fields of a message by number, in their order: bytes, or numbers. */
export type ProtobufFields = ReadonlyMap<number, readonly (Uint8Array | bigint)[]>;

/**
 * Reads the wire format of Protocol Buffers without a schema
 * (https://protobuf.dev/programming-guides/encoding).
 */
export function readProtobuf(bytes: Uint8Array): ProtobufFields {
  const fields = new Map<number, (Uint8Array | bigint)[]>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = view.getUint8(at);
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const field = tag >> 3;
    const values = fields.get(field) ?? [];
    fields.set(field, values);
    const type = tag & 7;
    if (type === 0) values.push(varint());
    else {
      const length = type === 1 ? 8 : type === 5 ? 4 : Number(varint());
      values.push(bytes.subarray(at, at + length));
      at += length;
    }
  }
  return fields;
}

export const messagesOf = (fields: ProtobufFields, field: number): readonly ProtobufFields[] =>
  bytesOf(fields, field).map(readProtobuf);

export const bytesOf = (fields: ProtobufFields, field: number): readonly Uint8Array[] =>
  (fields.get(field) ?? []).filter((value) => value instanceof Uint8Array);

export const textOf = (fields: ProtobufFields, field: number): string =>
  Buffer.from(bytesOf(fields, field)[0] ?? []).toString();

export const hexOf = (fields: ProtobufFields, field: number): string =>
  Buffer.from(bytesOf(fields, field)[0] ?? []).toString('hex');

export const numberOf = (fields: ProtobufFields, field: number): number => {
  const value = fields.get(field)?.[0] ?? 0n;
  if (!(value instanceof Uint8Array)) return Number(value);
  return new DataView(value.buffer, value.byteOffset, 8).getFloat64(0, true);
};
