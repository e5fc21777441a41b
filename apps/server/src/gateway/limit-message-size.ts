interface ParserInside {
  readonly parse: (bytes: Buffer) => number;
  readonly packet: { readonly length?: number } | undefined;
}

/**
 * The parser gathers a packet whole before anybody sees it, so the limit has to look at the announced length
 * (MQTT 3.1.1, section 2.2.3) as soon as the parser knows it. The connection ends.
 */
export function limitMessageSize(client: object, maxBytes: number, onExceeded: () => void): void {
  const { _parser: parser, conn } = client as {
    readonly _parser: { parse: ParserInside['parse'] } & Omit<ParserInside, 'parse'>;
    readonly conn: { destroy: () => void };
  };
  const parse = parser.parse.bind(parser);
  parser.parse = (bytes) => {
    const left = parse(bytes);
    if ((parser.packet?.length ?? 0) <= maxBytes) return left;
    onExceeded();
    conn.destroy();
    return 0;
  };
}
